#!/usr/bin/env bash
# Nine policies on one loaded cluster: writes a trace like Microsoft's Philly log, replays it under
# each policy and prints the comparison.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install.sh build
scripts/build.sh release muster

muster=build/release/muster
cluster=data/clusters/philly-600.yaml
out=out/demo
rm -rf "$out"
mkdir -p "$out"

"$muster" trace generate --like philly --jobs 10000 --seed 1 --cluster "$cluster" --load 1.5 \
  --out "$out/trace.csv"
"$muster" compare --cluster "$cluster" --trace "$out/trace.csv" --out "$out/runs" \
  --policies fifo,first-fit,easy,yarn-cs,sjf,srtf,srsf,tiresias-l,tiresias-g

echo
echo "trace:   $out/trace.csv"
echo "results: $out/runs/<n>-<policy>/ (summary.json, jobs.csv, schedule.csv)"
