#!/usr/bin/env bash
# Configures and builds a preset, or only some targets of it: scripts/build.sh release [target...]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
cmake --preset "$preset" > /dev/null
cmake --build --preset "$preset" ${1:+--target "$@"}
