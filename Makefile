# `make run` shows the product, `make test` proves it; both set up .venv by themselves.
# PYTHON=python3.12 chooses the interpreter of a new .venv.

.DEFAULT_GOAL := help
.PHONY: help run check test test-client static format bench soak docs constraints clean

PYTHON ?=
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/.ready
CODE := src tests benchmarks scripts

help:
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

$(READY): pyproject.toml constraints.txt scripts/setup
	@scripts/setup $(PYTHON)
	@touch $@

run: $(READY) ## show your history, or a made-up one where there is none
	@if $(BIN)/python scripts/has_history.py; then $(BIN)/bough sessions; else $(BIN)/bough demo; fi

check: static ## the inner loop: format, lint, types, layers, fast tests
	$(BIN)/pytest -q -m 'not slow' tests/unit tests/architecture

test: static ## everything
	$(BIN)/pytest

CLIENTS ?= 2.1.325 2.1.250 2.1.150 2.1.118 2.1.50 2.0.76 1.0.128
test-client: $(READY) ## fork, go to and repair with real clients (root, npm and ../shared/lab)
	$(BIN)/python -B -m tests.client.install $(CLIENTS)
	CCLAB_ISOLATED=1 BOUGH_CLIENTS="$(CLIENTS)" unshare -n sh -c 'ip link set lo up; exec "$$@"' sh $(BIN)/pytest -m client tests/client

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

soak: $(READY) ## ten minutes of watching a busy history
	$(BIN)/python benchmarks/soak.py $(ARGS)

docs: $(READY) ## run the examples, check that the reference is complete
	$(BIN)/pytest -q tests/docs

constraints: $(READY) ## new pins, after a change of dependencies
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --extra dev --strip-extras --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --output-file constraints.txt pyproject.toml

clean: ## remove everything that was made here
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
