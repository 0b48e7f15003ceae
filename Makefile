# `make run` shows the product, `make test` proves it; both set up .venv by themselves.
# PYTHON=python3.12 chooses the interpreter of a new .venv.

.DEFAULT_GOAL := help
.PHONY: help run check test static format bench docs constraints clean

PYTHON ?=
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/.ready
CODE := src tests benchmarks scripts

help:
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 20

$(READY): pyproject.toml constraints.txt scripts/setup
	@scripts/setup $(PYTHON)
	@touch $@

run: $(READY) ## show your history, or a made-up one where there is none
	@if $(BIN)/python scripts/has_history.py; then $(BIN)/bough sessions; else $(BIN)/bough demo; fi

check: static ## the inner loop: format, lint, types, layers, fast tests
	$(BIN)/pytest -q -m 'not slow' tests/unit tests/architecture

test: static ## everything
	$(BIN)/pytest

static: $(READY)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry --no-ansi src

format: $(READY) ## format, and mend what the linter can mend
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

bench: $(READY) ## the benchmarks behind every claim about speed
	$(BIN)/python benchmarks/core.py $(ARGS)

docs: $(READY) ## run the examples, check that the reference is complete
	$(BIN)/pytest -q tests/docs

constraints: $(READY) ## new pins, after a change of dependencies
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --extra dev --strip-extras --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --output-file constraints.txt pyproject.toml

clean: ## remove everything that was made here
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
