PYTHON ?= python3
BIN    := .venv/bin

verify: .venv/ready
	$(BIN)/headproof verify --profile quick

test: .venv/ready
	$(BIN)/python -m pytest

lint: .venv/ready .venv/lint
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy .

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv || { echo "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(BIN)/pip install -q --disable-pip-version-check torch==2.13.0 -e '.[test]'
	mkdir -p .venv/typing && ln -sfn ../.. .venv/typing/headproof
	@touch $@

.venv/lint: .venv/ready
	$(BIN)/pip install -q --disable-pip-version-check mypy ruff
	@touch $@

.PHONY: verify test lint
