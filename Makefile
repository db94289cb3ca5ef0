# SPDX-License-Identifier: Apache-2.0
#
# The one door. Each target prints what it runs.
#   make demo              build, then show a sealed push become a notification
#   make demo-fleet        build, then show two hosts act as one over PostgreSQL, and one take over
#   make test              every test, end to end included
#   make examples          the tests that an app's own package would have
#   make check             the rules of CONTRIBUTING.md that a machine can hold
#   make figures           where the sources stand: sizes, circles, comments and documents, each beside its bar
#   make format            repair what `make check` says about formatting
#   make fuzz SECONDS=60   every fuzzer for that long; RUNS=1000000 for so many inputs
#   make bench             speed, as ratios to a reference beside it
#   make attack            floods, forged messages, storms, low limits and traps from outside, as a table; minutes
#   make api               the notification centre against its OpenAPI document, as a table; a minute
#   make page              the page of the notification centre in a browser, as a table; a minute
#   make layout            the layout solver beside Kiwi on 10,100 systems; a minute
#   make fleet-lab SECONDS=60  three hosts, PostgreSQL and its standby, of which something dies every two seconds
#   make fleet-patroni     two hosts over three machines of Patroni and etcd, and the primary goes away; minutes
#   make soak              thousands of pushes beside crashes, hangs and memory eaters; some minutes
#   make storm             100 times kill -9 of centre, host and app under load, and a centre away for an hour; minutes
#   make release           what the optimizer may break: the programs in release, with sealed pushes, a short soak and storm
#   make docs              reference of the libraries
#   make programs          what is installed, in release
#   make install           that, into PREFIX=/usr/local; DESTDIR is honoured; started by sudo it takes what is built
#   make uninstall         removes the same files
#   make package           that as a Debian package with a unit of systemd, .build/package/nestbox.deb
#   make image             that as an OCI image, .build/image/nestbox.tar; asks sudo for root
#   make try-image         the image in containers: the sandbox profile by flags, a push, a restart
#   make ci                all that must hold: check, test, examples, api, page, layout, release, attack, thread sanitizer

SHELL := /bin/bash
# SETUP=true where packages are installed by other means.
SETUP ?= scripts/setup
SECONDS ?= 60
CONNECTIONS ?= 100000
PREFIX ?= /usr/local
export PREFIX DESTDIR
# Sandboxed processes have no room for the sanitizer's shadow memory: suites that start them run without it.
WITH_WORKERS = $(shell grep -l SupervisorHarness Tests/WorkerSupervisorTests/*Tests.swift | xargs -n 1 basename -s .swift \
	| paste -s -d '|')
WITH_SANDBOX = EndToEndTests|WorkerLauncherTests|PayloadOpenerTests|CompatibilityTests|BundleTestTests|RobustnessTests|WorkerSupervisorTests.($(WITH_WORKERS))
MISBEHAVING := Tests/Support/MisbehavingExtension

.PHONY: demo demo-fleet fleet-lab fleet-patroni test examples check figures format fuzz bench attack api page layout soak storm misbehaving release docs programs install uninstall package image try-image ci tsan

demo:
	$(SETUP)
	scripts/programs
	scripts/build-examples --built ChatExtension SliderContentExtension
	scripts/demo

demo-fleet:
	$(SETUP) fleet
	scripts/programs
	scripts/build-examples --built ChatExtension
	scripts/demo-fleet

fleet-lab:
	$(SETUP) fleet
	scripts/programs
	swift build --product fleet-checker
	scripts/build-examples --built ChatExtension
	scripts/fleet-lab "$$(swift build --show-bin-path)" --seconds $(SECONDS)

fleet-patroni:
	$(SETUP) patroni
	scripts/programs
	swift build --product fleet-checker
	scripts/build-examples --built ChatExtension
	scripts/fleet-patroni "$$(swift build --show-bin-path)"

# Without a package index, the tests that need what scripts/clients installs are skipped.
test:
	$(SETUP) test
	scripts/clients || true
	scripts/build-examples
	scripts/test $(TEST_OPTIONS)

examples:
	swift test --package-path Examples/ChatExtensionTests --scratch-path .build-examples

check:
	$(SETUP) check
	scripts/check

figures:
	scripts/figures

format:
	$(SETUP) check
	scripts/format

fuzz:
	$(SETUP)
	scripts/fuzz $(if $(RUNS),--runs $(RUNS),$(SECONDS))

bench:
	$(SETUP) bench
	scripts/bench

soak: misbehaving
	scripts/soak --extension .build/appex/MisbehavingExtension.appex/MisbehavingExtension

storm:
	$(SETUP)
	scripts/programs -c release
	scripts/storm-center

attack: misbehaving
	scripts/attack --connections $(CONNECTIONS)

api:
	$(SETUP) test
	scripts/clients --api
	swift build --product notification-center
	scripts/try-api

page:
	$(SETUP) page
	scripts/clients --page
	scripts/programs
	scripts/build-examples --built ChatExtension SliderContentExtension
	swift build --product text-probe
	scripts/try-page

layout:
	$(SETUP) layout
	swift build -c release --product layout-bench
	Benchmarks/layout/compare.py "$$(swift build -c release --show-bin-path)/layout-bench"

# The programs in release, and the extension that misbehaves, in one piece as an app's would be.
misbehaving:
	$(SETUP)
	scripts/programs -c release
	scripts/extension-sdk .build/release/extension-sdk
	.build/release/extension-host build --swift-version 6 --info $(MISBEHAVING)/Info.plist \
		$(filter-out %/main.swift,$(wildcard $(MISBEHAVING)/*.swift)) \
		--output .build/appex/MisbehavingExtension.appex

# The tests stay as `make test` has them; the programs that they run are others.
release:
	$(SETUP)
	scripts/programs -c release
	swift build -c release --product MisbehavingExtension
	NESTBOX_PROGRAMS="$$(swift build -c release --show-bin-path)" \
		swift test --no-parallel --filter 'OpeningTests|ReplayTests|SealedFileTests' \
		|| { echo 'make: hint: the same tests with "make test" tell whether it is the optimizer' >&2; exit 1; }
	scripts/soak --short --programs "$$(swift build -c release --show-bin-path)"
	scripts/storm-center --short --programs "$$(swift build -c release --show-bin-path)"

docs:
	$(SETUP)
	scripts/docs

programs:
	$(SETUP)
	scripts/programs -c release
	scripts/extension-sdk --with-crypto .build/release/extension-sdk

# Nothing is built as root for somebody else, and sudo knows no Swift.
install:
	[ -n "$$SUDO_USER" ] || $(MAKE) programs
	scripts/install

uninstall:
	scripts/install --uninstall

package: programs
	$(SETUP) package
	scripts/package

image: package
	$(SETUP) image
	scripts/image

try-image:
	$(SETUP) image
	scripts/try-image

tsan:
	$(SETUP)
	swift test --no-parallel --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build-tsan \
		--skip '$(WITH_SANDBOX)' \
		|| { echo 'make: hint: a data race is printed above the failed test' >&2; exit 1; }

# Every case of every matrix, and a test that fails and then passes alone is a fault.
ci: TEST_OPTIONS = --strict --whole
ci: check test examples api page layout release attack tsan
