# Every target works from a fresh clone; `make` alone lists them.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check --quiet
ENTRY  := $(PIP) install --no-deps --no-build-isolation --editable .

# The checks never leave cores to native libraries: figures stay comparable and two cores are enough.
export OMP_NUM_THREADS ?= 1

# What is installed is recorded by stamp files; a lock or pyproject.toml that changed makes its stamp stale.
RUNTIME := $(VENV)/.runtime
DEV     := $(VENV)/.dev
BENCH   := $(VENV)/.bench

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.PHONY: help setup chat test check format format-check lint types imports coverage bench lock clean

help: ## List the targets
	@echo 'Pullquote. Usage: make TARGET [PYTHON=python3.12]'
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  \1|\2/p' Makefile | while IFS='|' read -r name text; do \
	    printf '%-16s%s\n' "$$name" "$$text"; done

# --- Environment --------------------------------------------------------------------------------------------------

setup: $(DEV) ## Make .venv with everything pinned; the command is .venv/bin/pullquote

# After `make setup` the smaller runtime installation has nothing to add.
chat: $(if $(wildcard $(DEV)),$(DEV),$(RUNTIME)) ## Ask questions in the terminal, about the lists that ship with Pullquote
	@$(VENV)/bin/pullquote chat

$(PY):
	@command -v '$(PYTHON)' >/dev/null 2>&1 || { \
	    echo 'make: there is no "$(PYTHON)" here; install Python 3.11 or later, or name one: make setup PYTHON=/path/to/python3' >&2; \
	    exit 1; }
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "make: Pullquote needs Python 3.11 or later, and \"$(PYTHON)\" is $$('$(PYTHON)' -V 2>&1); name a newer one: make setup PYTHON=python3.12" >&2; \
	    exit 1; }
	@'$(PYTHON)' -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo 'make: "$(PYTHON)" cannot make virtual environments (ensurepip is missing); on Debian and Ubuntu: apt-get install python3-venv' >&2; \
	    exit 1; }
	@'$(PYTHON)' -m venv --clear $(VENV)

$(RUNTIME): requirements.lock requirements-build.lock pyproject.toml | $(PY)
	@echo 'Installing what Pullquote needs into $(VENV) (half a minute when nothing is cached) ...'
	@$(PIP) install --require-hashes -r requirements.lock -r requirements-build.lock
	@$(ENTRY)
	@touch $@

$(DEV): requirements-dev.lock pyproject.toml | $(PY)
	@echo 'Installing Pullquote and its development tools into $(VENV) (about a minute when nothing is cached) ...'
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@$(ENTRY)
	@touch $@

$(BENCH): requirements-bench.lock $(DEV)
	@echo 'Installing the engines to compare with into $(VENV) ...'
	@$(PIP) install --require-hashes -r requirements-bench.lock
	@touch $@

# --- Checks -------------------------------------------------------------------------------------------------------

test: $(DEV) ## Run the tests (ARGS="-k spans" to choose)
	$(PY) -m pytest $(ARGS)

check: format-check lint types imports coverage ## Everything that CI runs: format, lint, types, imports, tests, wheel

format: $(DEV) ## Rewrite the code in the one format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix-only --quiet .

format-check: $(DEV)
	$(PY) -m ruff format --check .

lint: $(DEV) ## Look for faults in the code
	$(PY) -m ruff check .

types: $(DEV) ## Check the types, those of the tests too
	$(PY) -m mypy

imports: $(DEV) ## Check that imports go down only
	$(VENV)/bin/lint-imports

coverage: $(DEV) ## Run the tests, the wheel's included, and hold the line on coverage
	$(PY) -m pytest --cov --cov-report=term-missing:skip-covered $(ARGS)

bench: $(BENCH) ## Measure relevance, quotes and speed, beside other engines
	$(PY) -m tests.benchmarks $(ARGS)

# --- Upkeep -------------------------------------------------------------------------------------------------------

# Each lock takes the one before it as given, so all of them agree. ARGS=--upgrade moves to the newest releases.
LOCK = $(PY) -m uv pip compile --no-config --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(ARGS)

lock: $(DEV) ## Pin again what pyproject.toml asks for (ARGS=--upgrade for the newest)
	$(LOCK) pyproject.toml --output-file requirements.lock
	$(LOCK) --group build --constraint requirements.lock --output-file requirements-build.lock
	$(LOCK) pyproject.toml --group dev --constraint requirements.lock --constraint requirements-build.lock \
	    --output-file requirements-dev.lock
	$(LOCK) --group bench --constraint requirements-dev.lock --output-file requirements-bench.lock

clean: ## Remove .venv and whatever was built or cached
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	    .import_linter_cache .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
