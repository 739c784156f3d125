# Each target sets up all it needs, as root and as an ordinary user. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo run test soak bench browser lint schema lock venv

PYTHON := .venv/bin/python
COMPILE := .venv/lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-strip-extras --custom-compile-command "make lock" --extra embedded
# assert states an invariant; HOST is 0.0.0.0 because webhooks come from outside; the commands we run are lists of ours.
EXPLAINED := B101,B104,B404,B603

help: ## What there is
	@sed -nE 's/^([a-z]+):.* ## (.*)/make \1|\2/p' Makefile | while IFS='|' read -r name what; do printf '%-12s %s\n' "$$name" "$$what"; done

demo: venv ## Play a course with a hundred students against the sandbox
	@$(PYTHON) app.py demo

run: venv ## The real service, with the settings in the environment and .env
	@$(PYTHON) app.py serve

test: browser lint ## Everything that CI runs
	$(PYTHON) -m pytest --numprocesses=auto --dist=worksteal

soak: venv ## 5,000 courses that Hypothesis makes up, others each time, and the longest stories; hours
	$(PYTHON) -m pytest tests/machine tests/soak tests/store --hypothesis-profile=soak --numprocesses=auto --dist=worksteal
	@echo "5,000 courses went through whatever was made up for them, and each ended right."

bench: venv ## What a tick, a deadline, a freeze and a push cost over a thousand repositories, as ratios in one run
	$(PYTHON) -m bench

browser:
	@.ci/browser

lint: venv ## The checks that run nothing: style, types, the import ladder, security
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports
	$(PYTHON) -m bandit --quiet --recursive --skip $(EXPLAINED) bot

schema: venv ## Write sql/schema.sql anew from the migrations
	$(PYTHON) -m bot.store.schema

lock: venv ## Resolve both lock files anew, with the newest versions that pyproject.toml allows
	$(PYTHON) -m pip install --quiet --upgrade --target .venv/lock uv
	$(COMPILE) --upgrade --output-file requirements.lock
	$(COMPILE) --upgrade --extra demo --group dev --output-file requirements-dev.lock

venv:
	@.ci/venv
