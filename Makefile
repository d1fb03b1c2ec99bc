# SPDX-License-Identifier: Apache-2.0
# What one uses day by day; cmake and ninja do the work.
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: all demo check lint asan install dist deb check-deb clean

all: build/build.ninja build/verifier/build.ninja
	@ninja -C build goldset
	@ninja -C build/verifier goldset-verify
	@ln -sf verifier/goldset-verify build/goldset-verify

build/build.ninja:
	@cmake --preset release > /dev/null

# Two programs that share nothing: two projects, two build folders.
build/verifier/build.ninja:
	@cmake -G Ninja -S verifier -B build/verifier > /dev/null

# The main job on a small project of our own.
demo: all
	@demo/run

# Every test; closes with one line of counts.
check:
	@tools/check-all

lint: all
	@tools/lint

install: all
	DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)
	DESTDIR=$(DESTDIR) cmake --install build/verifier --prefix $(PREFIX)

# The sources of this commit; a Debian package of both programs.
dist:
	@tools/make-dist

deb:
	@tools/make-deb

# Installed in a root with nothing but Debian's base; needs root.
check-deb: deb
	@tools/check-deb

clean:
	rm -rf build build-asan build-clang build-fuzz build-verifier
