# The gate is `make check`; CI runs the same line.
GO       ?= go
FUZZTIME ?= 10000x
LDFLAGS   = -s -w

.PHONY: build check format vet static cross test fuzz end-to-end crash adversary arrivals-check bench bench-judge bench-programs demo-phantom-ceiling real-servers real-servers-all sdks clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/assay ./cmd/assay

check: format vet static cross test fuzz end-to-end

format:
	@unformatted=$$(gofmt -l bench cmd internal real sdks); \
	if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w): $$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...

static:
	$(GO) tool staticcheck ./...

# Other systems get user-space stamps; that they build is all that is checked here.
cross:
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/assay
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/assay

# The floors of the house, the scripts of the command line and the examples in
# the docs are tests like the others. Those of the command line are real runs,
# whose receipts tell a busy machine: they come when the others are done.
test:
	$(GO) test -race -timeout 10m $$($(GO) list ./... | grep -v '/internal/cli$$')
	$(GO) test -race -timeout 10m ./internal/cli

# Every fuzz target, by name, with so many inputs: a time limit that passes while
# a busy machine is at an input fails the target (context deadline exceeded).
fuzz:
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' internal | sort | \
	while IFS=: read -r file declaration; do \
		target=$${declaration#func }; \
		echo "fuzz ./$$(dirname $$file) $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x ./$$(dirname $$file) </dev/null || exit 1; \
	done

end-to-end: build
	.ci/end-to-end bin/assay

# Every process of a run is killed at random moments, and disks are filled: a
# minute or two, so not part of check. A failure names its seed: SEED=… repeats
# its moments. It mounts small disks, in a name space of its own.
SEED ?= 0
crash:
	$(GO) vet -tags crash ./internal/cli
	$(GO) tool staticcheck -tags crash ./internal/cli
	$(GO) test -tags crash -count=1 -timeout 10m -parallel 4 -run '^Test(AKilled|ADiskThatIsFull)' ./internal/cli -crash.seed=$(SEED)

# A hundred runs that something disturbs and a hundred that nothing does, held
# against the embedded server's truth: docs/adversary.md. Seven seconds a run,
# on Linux, and the machine to itself; root makes every kind possible.
# A few: make adversary ADVERSARIAL=12 HEALTHY=6
ADVERSARIAL ?= 100
HEALTHY     ?= 100
adversary: build
	$(GO) build -o bin/adversary ./bench/adversary
	bin/adversary -assay bin/assay -adversarial $(ADVERSARIAL) -healthy $(HEALTHY) -seed $(if $(filter 0,$(SEED)),1,$(SEED))

# Every shape of arrivals, from one process and from eight, as planned against
# what an independent server saw: two minutes, on Linux, and the
# machine to itself. What it measured here: docs/traffic.md.
arrivals-check: build
	$(GO) build -o bin/arrivals ./bench/arrivals
	$(GO) build -o bin/arrivals-logger ./bench/arrivals/logger
	bin/arrivals -assay bin/assay -logger bin/arrivals-logger

# What the client costs, as ratios from one run on this machine: about six
# minutes, on Linux. What the numbers mean: docs/performance.md.
bench: bench-programs
	bin/bench -go "$(GO)"

# The makers' own clients against the embedded server, in a module of its own:
# docs/clients.md. A minute or two, most of it to build them; one is for Python.
sdks: build bin/sdks-venv/ready
	cd sdks && $(GO) vet ./... && $(GO) test -count=1 -timeout 5m ./...

bin/sdks-venv/ready: sdks/requirements.txt
	python3 -m venv bin/sdks-venv
	bin/sdks-venv/bin/pip install --quiet --disable-pip-version-check -r sdks/requirements.txt
	touch $@

# A run of a million requests is written and judged: two minutes, 1 GB of disk.
bench-judge: bench-programs
	bin/bench -only judge

bench-programs: build
	$(GO) build -o bin/bench ./bench
	$(GO) build -o bin/bench-floor ./bench/floor
	cd bench/vegeta && $(GO) build -o ../../bin/bench-vegeta github.com/tsenart/vegeta/v12

# A ceiling that is the client's beside the one that is the server's, measured
# here: about a minute. What it shows: docs/phantom-ceiling.md.
demo-phantom-ceiling: build
	$(GO) build -o bin/phantom ./bench/phantom
	bin/phantom -assay bin/assay

# Servers that nobody here wrote, installed from the package registries, and
# every API that they share with Assay: docs/real-server.md. Linux, Python 3.11,
# Node 20 and, for Ollama's headers, Debian's apt.
# One of them: make real-servers ONLY=triton
real-servers: build
	$(GO) build -o bin/real ./real
	bin/real -assay bin/assay -only '$(ONLY)'

real-servers-all: build
	$(GO) build -o bin/real ./real
	bin/real -assay bin/assay -all

clean:
	rm -rf bin
