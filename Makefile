# The two commands: `make demo` (sets everything up and runs the main job) and `make test` (sets up and tests).
# `make help` lists the rest.

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# The first interpreter that is new enough; override with `make PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
            $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
JOBS   ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
NATIVE := CMakeLists.txt $(wildcard src/autocomp/targets/gemmini/simulator/*.[ch]pp src/autocomp/rewrite/gemmini/*.[ch]pp)
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# There while an installation is under way: what was interrupted is not trusted, the next one begins afresh.
HALF   := $(VENV)/.installing

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-fast check format bench docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: $(STAMP) ## make the virtual environment and build the simulator

$(STAMP): pyproject.toml requirements.lock $(NATIVE)
	@case "$(CURDIR)" in *[[:space:]]*) echo "error: the path '$(CURDIR)' has a space in it; move the folder to one without" >&2; exit 3;; esac
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer found; install one, or run 'make PYTHON=/path/to/python3'" >&2; exit 3; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || \
	  { echo "error: no C++ compiler found; install g++ or clang++ (Debian: apt install g++; macOS: xcode-select --install)" >&2; exit 3; }
	@if test -e $(HALF) || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	  $(PYTHON) -m venv --clear $(VENV) || \
	    { rm -rf $(VENV); echo "error: '$(PYTHON) -m venv' failed; on Debian and Ubuntu: apt install python3-venv" >&2; exit 3; }; \
	fi
	@touch $(HALF)
	$(PIP) -r requirements.lock || { rm -f $(HALF); echo "error: the packages of requirements.lock could not be installed (pip says why above);" \
	  "without a network, give pip a folder of wheels: PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER make setup" >&2; exit 3; }
	@rm -f $(HALF)
	$(PIP) --no-build-isolation --no-deps --editable . || \
	  { echo "error: the simulator could not be built; the compiler says why above (C++20 is needed: g++ 11 or clang++ 14)" >&2; exit 3; }
	@touch $(STAMP)

demo: $(STAMP) ## optimise a 512x512x512 GEMM for Gemmini, offline
	$(BIN)/autocomp optimize gemm:512x512x512 --max-minutes 2.5

test: $(STAMP) ## all tests
	$(BIN)/python -m pytest -n $(JOBS)

test-fast: $(STAMP) ## the tests that take seconds
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

check: $(STAMP) ## formatting, lint, types, order of imports
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_imports.py

format: $(STAMP) ## format and fix what can be fixed
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/ruff check --fix src tests benchmarks

bench: $(STAMP) ## every benchmark: fidelity, throughput, the tables for Gemmini; fails at the end if one missed a claim
	@status=0; for name in fidelity throughput gemmini; do \
	  $(BIN)/python -m benchmarks.$$name || status=1; done; exit $$status

docs: $(STAMP) ## write docs/cli.md from the commands themselves
	$(BIN)/python -m autocomp.cli._reference > docs/cli.md.new && mv docs/cli.md.new docs/cli.md

clean: ## remove what was built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
