#!/usr/bin/env bash
# Builds and runs the benchmarks; arguments go to each of them (--benchmark_filter=NAME, ...).
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install.sh build
scripts/build.sh release
for program in build/release/bench/*_bench; do
  [ -x "$program" ] || continue
  "$program" "$@"
done
