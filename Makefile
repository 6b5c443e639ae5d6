# Run `make` for the list of targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO          ?= go
LISTEN      ?= 127.0.0.1:8080
DB          ?= hoplite.db
FUZZTIME    ?= 60s
VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS     := -s -w -X main.version=$(VERSION)
WITH_PG     := .ci/with-postgres
# Vite and the lock file want npm 11; Node 20 ships npm 10.
NPM         := $(shell npm --version 2>/dev/null | grep -q '^1[1-9]' && echo npm || echo npx --yes npm@11)
# How many bytes the engine of the page may have, packed.
WASM_MOST   := 2097152
GO_LICENSES := $(GO) tool -modfile=.ci/tools/go.mod go-licenses
# What may be in the binaries and in the page.
LICENCES    := Apache-2.0,MIT,BSD-2-Clause,BSD-3-Clause,ISC
# Its LICENSE file is the short Apache-2.0 notice, which the classifier does not know.
LICENCE_READ := github.com/oapi-codegen/nullable
# Packages whose tests run a second time under the race detector, which is slow: those that share most memory between
# goroutines. make long takes all of them.
RACE        := ./server/live ./server/live/game ./server/bus ./server/presence ./server/node ./server/stream ./server/lobby ./server/ws ./server/analysis ./server/external ./client

# One setting for binaries and tests, so that nothing is compiled twice; only the race detector needs C.
export CGO_ENABLED := 0
export HOPLITE_PYTHON ?= $(CURDIR)/.cache/venv/bin/python

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.PHONY: deps
deps: ## Install what the tests need (asks first, unless root or CI)
	@.ci/deps

.PHONY: web
web: web/dist/index.html web/dist/engine/hoplite.wasm.gz ## Build the page that the server embeds

web/dist/index.html: web/package-lock.json web/vite.config.ts web/index.html $(shell find web/src web/public web/scripts -type f)
	cd web && $(NPM) ci --silent && $(NPM) run --silent build
	touch $@

# The rules core and the search for the page. The server unpacks the module for the few who cannot.
web/dist/engine/hoplite.wasm.gz: go.mod $(shell find cmd/hoplite-wasm engine -name '*.go' -o -name '*.md' -path '*variant*' \
	  -o -path '*/weights/*' -o -name '*.net' -o -name levels.txt)
	@mkdir -p $(@D)
	GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags '-s -w' -o $(@D)/hoplite.wasm ./cmd/hoplite-wasm
	gzip -9 -n -f $(@D)/hoplite.wasm
	@test $$(wc -c < $@) -le $(WASM_MOST) || { rm $@; echo "the engine of the page is greater than $(WASM_MOST) bytes"; exit 1; }
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(@D)/wasm_exec.js
	touch $@

.PHONY: build
build: web ## Build bin/hoplite, bin/hoplite-bot, bin/hoplite-engine and bin/hoplite-load
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/hoplite ./cmd/hoplite-bot ./cmd/hoplite-engine ./cmd/hoplite-load

.PHONY: run
run: build ## Build and serve on http://127.0.0.1:8080 (LISTEN=, DB=)
	exec bin/hoplite serve --listen $(LISTEN) --db $(DB)

.PHONY: test
test: deps build ## Unit, integration (SQLite and PostgreSQL), browser and real-client tests, short fault rounds
	cd web && $(NPM) run --silent check && $(NPM) run --silent test
	$(WITH_PG) $(GO) test -count=1 -timeout 15m ./...
	CGO_ENABLED=1 $(WITH_PG) $(GO) test -count=1 -timeout 15m -race $(RACE)
	CGO_ENABLED=1 $(GO) test -count=1 -timeout 15m -race -run Threads ./engine/search
	cd web && $(NPM) run --silent e2e

.PHONY: long
long: deps build ## The full oracle, long fault rounds, a soak, full fuzzing (hours)
	HOPLITE_LONG=1 $(WITH_PG) $(GO) test -count=1 -timeout 6h -v ./...
	CGO_ENABLED=1 HOPLITE_LONG=1 $(WITH_PG) $(GO) test -count=1 -timeout 6h -race ./server/... ./store/... ./client/...
	$(MAKE) soak
	$(MAKE) fuzz

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (60s)
	@for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	    echo "$$package $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
	  done; \
	done

.PHONY: bench
bench: build ## Benchmarks, and perft beside Debian's stockfish
	$(GO) test -run '^$$' -bench . -benchmem ./...
	.ci/bench-perft
	bin/hoplite-engine bench

.PHONY: load
load: build ## Measure the server under load, beside its bounds (LOAD= for flags of hoplite-load)
	bin/hoplite-load $(LOAD)

.PHONY: soak
soak: build ## Half an hour of games one after the other; fails if the server's memory grows (LOAD= for flags)
	bin/hoplite-load soak $(LOAD)

.PHONY: generate
generate: ## Make the generated code anew from the OpenAPI description
	$(GO) generate ./...
	cd web && $(NPM) run --silent generate

.PHONY: lint
lint: web ## gofmt, vet, staticcheck, import directions, generated code, known vulnerabilities, licences
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -count=1 ./cmd -run TestImports
	.ci/check-generated
	GO=$(GO) .ci/check-vulnerabilities ./cmd/...
	$(GO_LICENSES) check ./cmd/hoplite ./cmd/hoplite-bot ./cmd/hoplite-engine ./cmd/hoplite-load --ignore hoplite --ignore $(LICENCE_READ) --allowed_licenses=$(LICENCES)
	.ci/check-web-licences $(LICENCES)
