# `make run` shows the product, `make test` proves it; both set up .venv by themselves.
# PYTHON=python3.12 chooses the interpreter of a new .venv.

.DEFAULT_GOAL := help
# The page is built by scripts/setup, and again when its sources changed.
.PHONY: help run check test test-client test-postgres test-whole test-faults test-mutations page page-check page-test browser static lint types compiled format bench soak man dist docs constraints clean

PYTHON ?=
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/.ready
CODE := src tests benchmarks scripts hatch_build.py frontend/build.py

help:
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

$(READY): pyproject.toml constraints.txt scripts/setup
	@scripts/setup $(PYTHON)
	@touch $@

page: $(READY)
	@scripts/frontend build >&2

run: page ## open your history in the browser, or a made-up one where there is none
	@$(BIN)/python scripts/run.py $(ARGS)

check: static page-test ## the inner loop: format, lint, types, layers, fast tests
	$(BIN)/pytest -q -m 'not slow' tests/unit tests/architecture

# One more than a small machine has cores: some tests wait. Files stay whole, because what their
# tests share is made once per worker.
WORKERS ?= 3
# What uses one core goes side by side; a third, because a browser may have to be fetched.
test: page ## everything
	@$(MAKE) --no-print-directory -j 3 types page-test compiled lint browser
	scripts/in_memory $(BIN)/pytest -m 'not alone and not whole' -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(BIN)/pytest -m alone $$(grep -rl 'mark\.alone' --include='*.py' tests)

# Once, as an installed package is: hundreds of processes of bough start in these tests, and some
# machines let none of them keep what it compiles. pytest's own form of the tests is made once too,
# and not by each worker; whether they can be loaded, the run itself says.
compiled: $(READY)
	$(BIN)/python -m compileall -q src tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --collect-only -qq >/dev/null || true

# 1.0.51 is for its local commands only.
CLIENTS ?= 2.1.325 2.1.250 2.1.150 2.1.132 2.1.118 2.1.50 2.0.76 1.0.128 1.0.51
test-client: $(READY) ## fork, go to and repair with real clients (root, npm and ../shared/lab)
	$(BIN)/python -B -m tests.client.install $(CLIENTS)
	CCLAB_ISOLATED=1 BOUGH_CLIENTS="$(CLIENTS)" unshare -n sh -c 'ip link set lo up; exec "$$@"' sh $(BIN)/pytest -o faulthandler_timeout=1200 -m client tests/client

test-postgres: $(READY) ## a team's store on Debian's PostgreSQL and on the newest, or where BOUGH_TEST_POSTGRES says
ifdef BOUGH_TEST_POSTGRES
	$(BIN)/pytest -q -m 'not whole and not alone' tests/unit/store/contract tests/unit/store/postgres tests/unit/team tests/cli/test_team.py $(ARGS)
else
	$(BIN)/python -B -m tests.postgres_servers $(ARGS)
endif

test-whole: $(READY) ## every case of what `make test` takes a sample of
	scripts/in_memory $(BIN)/pytest -m 'whole and not client' -n $(WORKERS) --dist load
	scripts/in_memory $(BIN)/pytest -m 'hypothesis and not whole' --hypothesis-profile=whole -n $(WORKERS) --dist load

test-faults: $(READY) ## let every system call of every operation that writes fail, beside a client (Linux and gcc)
	$(BIN)/python -B -m tests.faults $(ARGS)

test-mutations: $(READY) ## take 2,000 spoilt sessions through library, commands and web API (ARGS=--help)
	$(BIN)/python -B -m tests.mutations $(ARGS)
	BOUGH_MUTATIONS=1 $(BIN)/pytest -q tests/mutations/test_odd_folders.py

static: lint types page-check

lint: $(READY)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry --no-ansi src

types: $(READY)
	$(BIN)/mypy

page-check: $(READY)
	scripts/frontend check

page-test: page-check
	scripts/frontend test

browser: $(READY)
	$(BIN)/python -m tests.web.chromium

format: $(READY) ## format, and mend what the linter can mend
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)
	scripts/frontend format

bench: $(READY) ## the benchmarks behind every claim about speed
	$(BIN)/python benchmarks/core.py $(ARGS)

soak: $(READY) ## ten minutes of watching a busy history
	$(BIN)/python benchmarks/soak.py $(ARGS)

man: $(READY) ## write the manual pages to build/man
	$(BIN)/python scripts/man_pages.py build/man

dist: $(READY) ## sdist and wheel in dist/, each tried in an empty environment with pip, pipx and uv
	$(BIN)/python scripts/dist.py

docs: $(READY) ## run the examples, check that the reference is complete
	$(BIN)/pytest -q tests/docs

constraints: $(READY) ## new pins, after a change of dependencies
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --extra dev --strip-extras --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --output-file constraints.txt pyproject.toml

clean: ## remove everything that was made here
	rm -rf .venv dist build frontend/node_modules src/bough/web/static tests/web/artefacts .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src tests benchmarks scripts -name __pycache__ -type d -prune -exec rm -rf {} +
