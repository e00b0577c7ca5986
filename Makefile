PYTHON ?= python3
BIN    := .venv/bin
PIP    := $(BIN)/pip install -q --disable-pip-version-check
# Pinned so that a fresh machine gets a build that is known to work; pyproject.toml gives the range.
TORCH  := torch==2.13.0

verify: .venv/ready
	$(BIN)/headproof verify --profile quick

test: .venv/test
	$(BIN)/python -m pytest -n auto --maxprocesses 4

lint: .venv/lint
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy -p headproof && $(BIN)/mypy --explicit-package-bases tests

docs: .venv/docs
	$(BIN)/sphinx-build -q -W --keep-going -E -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv || { echo "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(PIP) $(TORCH) -e .
	mkdir -p .venv/typing && ln -sfn ../.. .venv/typing/headproof
	@touch $@

.venv/test: .venv/ready
	$(PIP) $(TORCH) -e '.[test]'
	@touch $@

.venv/lint: .venv/test
	$(PIP) mypy ruff
	@touch $@

.venv/docs: .venv/ready
	$(PIP) $(TORCH) -e '.[docs]'
	@touch $@

.PHONY: verify test lint docs
