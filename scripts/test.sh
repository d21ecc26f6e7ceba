#!/usr/bin/env bash
# Builds the release preset and runs all tests; arguments go to ctest (-R NAME, -L LABEL, ...).
# Shows failures, skipped tests and those that took over a second; ctest's closing line comes last.
# All output of all tests is in build/release/Testing/Temporary/LastTest.log.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install.sh build
scripts/build.sh release

screen=build/release/ctest.log
status=0
ctest --preset release --parallel "$(nproc)" "$@" 2>&1 | tee "$screen" | awk '
  /^ +Start +[0-9]+:/ { next }
  / Passed +0\.[0-9]+ sec$/ { next }
  /tests passed, .* tests failed out of/ { next }
  { print; fflush() }' || status=$?

awk '/^oracle-cases: [0-9]+$/ { sum += $2 } END { print "oracle cases checked: " sum + 0 }' \
  build/release/Testing/Temporary/LastTest.log
grep 'tests passed, .* tests failed out of' "$screen" || true
exit "$status"
