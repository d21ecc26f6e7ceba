# Every target sets up what it needs, from Debian's packages on.

help:
	@sed -n 's/^## //p' Makefile

## make demo     compare nine policies on a loaded cluster; files in out/demo/
demo:
	@scripts/demo.sh

## make test     build, and run all tests
test:
	@scripts/test.sh

## make check    formatting, sanitizers, fuzzing, clang-tidy
check:
	@scripts/check.sh

## make bench    build, and run the benchmarks
bench:
	@scripts/bench.sh

## make format   format all sources in place
format:
	@scripts/install.sh check
	@find bench src tests -name '*.h' -o -name '*.cpp' | xargs clang-format-19 -i

## make clean    remove everything that was made
clean:
	rm -rf build out

.PHONY: help demo test check bench format clean
