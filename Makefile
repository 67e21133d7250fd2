# make run    build everything, start the collector, feed it sample telemetry
# make test   everything that CI checks
# make help   the other targets

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

TOOL     := go tool -modfile=internal/tools/go.mod
FUZZTIME ?= 600
BENCH    ?= .

# The same sources give the same bytes: no paths, no commit, no build id. Tests are compiled with the same flags as the
# binaries, so that the packages they share are compiled once.
LDFLAGS := -s -w -buildid=
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false $(GOFLAGS)

# What the binaries are made of: sources and the tables and files embedded in them.
PARTS   := registry problem signal redact processor exporter/problemexporter connector internal/document internal/observe
BOARD   := exporter/boardexporter dashboards/generated dashboards/runbooks dashboards/embed.go
PAGE    := exporter/boardexporter/page
SOURCES := $(shell find $(PARTS) $(BOARD) -name node_modules -prune -o -type f ! -name '*_test.go' ! -path '*/testdata/*' ! -path '*/page/*' -print) $(wildcard exporter/boardexporter/page/dist/*) go.mod go.sum
GOFILES := find . \( -path ./_build -o -name node_modules -o -path ./.git \) -prune -o -name '*.go' -print

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sort | sed -E 's/:.*## /\t/' | expand -t 20

.PHONY: build
build: bin/otelcol-harness bin/harnesserr ## the collector and the command line, in bin/

# The page of the board is compiled in. Without npm the collector is built without it, and says so at /.
NPM := $(shell command -v npm)
ifneq ($(NPM),)
bin/otelcol-harness: $(PAGE)/dist/index.html
endif

$(PAGE)/dist/index.html: $(PAGE)/node_modules/.package-lock.json $(wildcard $(PAGE)/*.json dashboards/generated/*.json) \
		$(shell find $(PAGE)/src $(PAGE)/scripts -type f)
	cd $(PAGE) && npm run build

$(PAGE)/node_modules/.package-lock.json: $(PAGE)/package-lock.json
	cd $(PAGE) && npm ci --no-audit --no-fund
	touch $@

# The builder writes a module that requires this one by a relative replace, then compiles it.
bin/otelcol-harness: builder-config.yaml $(SOURCES)
	@$(if $(NPM),,echo "npm is missing: the collector gets no page. With Node 20 and npm on the PATH, make page builds it.")
	@mkdir -p bin
	$(TOOL) builder --config builder-config.yaml --ldflags '$(LDFLAGS)'
	cp _build/otelcol-harness $@.new && mv $@.new $@ # a collector that runs keeps its file

bin/harnesserr: $(SOURCES) $(shell find cmd/harnesserr -name '*.go' ! -name '*_test.go')
	@mkdir -p bin
	go build -ldflags '$(LDFLAGS)' -o $@ ./cmd/harnesserr

bin/run: $(wildcard internal/run/*.go)
	@mkdir -p bin
	go build -o $@ ./internal/run

.PHONY: run
run: build bin/run ## start the collector on the quick start configuration and replay sample telemetry; Ctrl-C ends it
	@exec bin/run

.PHONY: test
test: lint page unit board dashboards e2e live bench-check check-generated ## everything that CI checks

.PHONY: lint
lint: ## formatting and vet
	@unformatted=$$($(GOFILES) | xargs gofmt -l); if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w):"; echo "$$unformatted"; exit 1; fi
	go vet ./...

.PHONY: unit
unit: ## tests of the packages
	go test -timeout 10m $$(go list ./... | grep -v '/internal/e2e$$')

.PHONY: e2e
e2e: build ## tests against the collector's binary
	HARNESSERR_E2E=1 HARNESSERR_OTELCOL=$(CURDIR)/bin/otelcol-harness go test -timeout 15m -count=1 ./internal/e2e/...

.PHONY: page
ifneq ($(NPM),)
page: $(PAGE)/dist/index.html ## build the page of the board and run its unit tests (needs Node 20 and npm)
	cd $(PAGE) && npm test
else
page:
	@echo "npm is missing: the page of the board is neither built nor tested"; test -z "$$CI"
endif

.PHONY: board
board: ## tests of the board exporter, a module of its own
	cd exporter/boardexporter && go vet ./... && go test -timeout 10m ./...

# The Prometheus whose parts the board is made of, from its sources in the module cache. It takes minutes, once.
.tools/prometheus: exporter/boardexporter/go.mod
	@mkdir -p .tools
	cd "$$(cd exporter/boardexporter && go list -m -f '{{.Dir}}' github.com/prometheus/prometheus)" && \
		GOWORK=off go build -tags remove_all_sd -ldflags='-s -w' -o $(CURDIR)/$@ ./cmd/prometheus

.PHONY: board-compare
board-compare: .tools/prometheus ## does the board answer like a stock Prometheus that was given the same OTLP
	cd exporter/boardexporter && BOARD_STOCK_PROMETHEUS=$(CURDIR)/.tools/prometheus go test -count=1 -run TestAnswersLikeAStockPrometheus .

.PHONY: dashboards
dashboards: ## dashboards, rules and runbooks: are the files current, do queries and rules do what they say (needs promtool)
	cd dashboards/gen && go vet . && go run . -check && PROMTOOL=$${PROMTOOL:-promtool} go test -timeout 10m .

.PHONY: live
live: build ## every panel and rule on a collector with sample telemetry, by API and in a browser (needs prometheus and chromium)
	.ci/with-board .ci/look

.PHONY: screenshots
screenshots: build ## the pictures of the README: twelve minutes, since the story is told in ten
	mkdir -p docs/images
	BOARD_FEED=10m BOARD_SHOTS=$(CURDIR)/docs/images BOARD_RANGE=now-11m .ci/with-board node $(PAGE)/scripts/shots.mjs

.PHONY: generate
generate: ## write again what is generated
	go generate ./processor/... ./connector/... ./exporter/problemexporter/... ./internal/fleet
	go run ./internal/gencoverage

# What a generator wrote has to be what it writes now. Sums are compared, so that the check needs no clean checkout.
GENERATED := find docs/coverage.md processor exporter/problemexporter connector testdata/fleet -type f \
	\( -name 'generated_*.go' -o -name documentation.md -o -name README.md -o -name coverage.md -o -path 'testdata/fleet/*' \)

.PHONY: check-generated
check-generated: ## fail if a generated file is out of date
	@sums=$$(mktemp); trap 'rm -f "$$sums"' EXIT; $(GENERATED) | sort | xargs sha256sum > "$$sums"; \
	$(MAKE) --no-print-directory generate; \
	$(GENERATED) | sort | xargs sha256sum | diff "$$sums" - || { echo "generated files were out of date: commit what make generate wrote"; exit 1; }

.PHONY: fuzz
fuzz: ## fuzz every parser, FUZZTIME seconds in all
	@targets=$$(grep -rE --include='*_test.go' --exclude-dir=node_modules --exclude-dir=_build '^func Fuzz' $(PARTS) \
		| sed -E 's#^(.*)/[^/]+:func (Fuzz[A-Za-z0-9_]+).*#\1 \2#' | sort -u); \
	each=$$(( $(FUZZTIME) / $$(wc -l <<< "$$targets") )); each=$$(( each > 1 ? each : 1 )); \
	while read -r dir name; do \
		echo "== $$dir $$name, $${each}s"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime "$${each}s" -fuzzminimizetime 1s "./$$dir"; \
	done <<< "$$targets"

.PHONY: bench
bench: ## harnesserr beside stock components: bench/RESULTS.md and the figures of docs/performance.md (10 minutes)
	cd bench && go vet ./... && go run ./report -case '$(BENCH)' -out . -page ../docs/performance.md
	$(MAKE) --no-print-directory figures

.PHONY: figures
figures: ## the figures of docs/performance.md, from bench/results.csv
	@mkdir -p docs/images
	cd bench && go run ./plot -out ../docs/images

.PHONY: bench-load
bench-load: build ## the collector under load with the processor and without: bench/LOAD.md
	cd bench && go run ./load -binary ../bin/otelcol-harness -out LOAD.md -page ../docs/performance.md

.PHONY: bench-share
bench-share: ## what the processor adds to decoding and encoding, and the least that could be added (2 minutes)
	cd bench && go run ./share -page ../docs/performance.md

.PHONY: bench-check
bench-check: ## what the benchmarks promise and no machine changes: allocations
	cd bench && go vet ./... && go test -timeout 10m ./...

.PHONY: microbench
microbench: ## the packages' own benchmarks; BENCH is a regular expression
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

# The same components in a collector of the newest release. Its builder has to be of that release too.
LATEST_BUILDER := go.opentelemetry.io/collector/cmd/builder@v0.165.0

bin/otelcol-harness-latest: distributions/latest/builder-config.yaml $(SOURCES)
	@mkdir -p bin _build
	cd distributions/latest && go run $(LATEST_BUILDER) --config builder-config.yaml --ldflags '$(LDFLAGS)'
	cp _build/latest/otelcol-harness-latest $@

.PHONY: latest
latest: bin/otelcol-harness-latest ## the newest release of the collector with the same components, and the tests against it
	HARNESSERR_E2E=1 HARNESSERR_OTELCOL=$(CURDIR)/bin/otelcol-harness-latest go test -timeout 15m -count=1 ./internal/e2e

SUPPLY := -modfile=internal/supply/go.mod

.PHONY: vuln
vuln: build ## known vulnerabilities in what the binaries contain (needs https://vuln.go.dev, or GOVULNDB)
	@for binary in bin/otelcol-harness bin/harnesserr; do echo "== $$binary"; \
		go tool $(SUPPLY) govulncheck $${GOVULNDB:+-db "$$GOVULNDB"} -mode binary $$binary || \
		{ echo "not checked, or vulnerable: see above. Without the database nothing is known; GOVULNDB may name a copy"; exit 1; }; done

.PHONY: licences
licences: build ## the licence of every module in the binaries; fails on one that is not allowed
	cd internal/supply && go run ./licences $(CURDIR)/bin/otelcol-harness $(CURDIR)/bin/harnesserr

.PHONY: sbom
sbom: build ## what is in the binaries, as CycloneDX, beside them
	for binary in bin/otelcol-harness bin/harnesserr; do go tool $(SUPPLY) cyclonedx-gomod bin -json -output $$binary.cdx.json $$binary; done

.PHONY: reproducible
reproducible: ## build the commit twice, in different places with different caches, and compare
	@work=$$(mktemp -d); trap 'chmod -R u+w "$$work"; rm -rf "$$work"' EXIT; \
	for place in first second/deeper; do \
		mkdir -p "$$work/$$place" && git archive HEAD | tar x -C "$$work/$$place"; \
		GOCACHE="$$work/$$place.cache" $(MAKE) --no-print-directory -C "$$work/$$place" build; \
	done; \
	for binary in otelcol-harness harnesserr; do \
		sha256sum "$$work"/first/bin/$$binary "$$work"/second/deeper/bin/$$binary; \
		cmp "$$work"/first/bin/$$binary "$$work"/second/deeper/bin/$$binary; \
	done; echo "both binaries are the same, byte for byte"

.PHONY: soak
soak: build ## ten minutes at 20 000 spans a second: memory, goroutines, drops
	HARNESSERR_SOAK=$${SOAK:-10m} HARNESSERR_SOAK_RATE=$${RATE:-20000} HARNESSERR_OTELCOL=$(CURDIR)/bin/otelcol-harness \
		go test ./internal/e2e -run TestSoak -v -timeout 60m

.PHONY: e2e-kafka
e2e-kafka: build ## two gateways in one consumer group, killed and restarted (needs Debian's prometheus)
	cd internal/e2e/kafka && HARNESSERR_E2E=1 HARNESSERR_OTELCOL=$(CURDIR)/bin/otelcol-harness go test -v -count=1 -timeout 15m ./...

.PHONY: clean-text
clean-text: ## how often redaction changes text without secrets: the documents and sources of the module cache
	REDACT_CLEAN_TEXT=1 go test -run TestCleanText -timeout 30m -v ./redact

.PHONY: clean
clean: ## remove what was built
	rm -rf bin _build
