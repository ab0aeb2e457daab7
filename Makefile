# `make lecture` and `make test` do all the set-up that a bare Debian or Ubuntu machine needs.
# Another Python: make PYTHON=python3.12 test

PYTHON ?= python3
export PYTHON
BIN := .venv/bin

.PHONY: lecture test quick app setup lint bench clean

lecture: setup
	@$(BIN)/byhand render lecture --quality draft -o lecture.mp4 --force

# All tests but the benchmarks, after the linters.
test quick bench: export QT_QPA_PLATFORM ?= offscreen

test: lint
	@$(BIN)/pytest -n auto --dist worksteal

quick: lint
	@$(BIN)/pytest -n auto --dist worksteal -m "not slow and not bench"

bench: setup
	@$(BIN)/pip install --quiet -c constraints.txt -e ".[bench]"
	@$(BIN)/pytest -m bench -s

app: setup
	@$(BIN)/byhand

setup:
	@./setup.sh

lint: setup
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# Keeps .venv, which takes minutes to make.
clean:
	@rm -rf lecture.* lecture-* look dist .hypothesis .*_cache
	@find engine scenes export desktop tests -name __pycache__ -prune -exec rm -rf {} +
