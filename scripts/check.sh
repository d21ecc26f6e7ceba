#!/usr/bin/env bash
# What finds bugs that the tests alone would miss; each stage can be run on its own.
#   scripts/check.sh [format] [asan] [fuzz] [tidy] [tsan]
set -euo pipefail
cd "$(dirname "$0")/.."

# File and line in reports; binutils has addr2line, LLVM's own symbolizer is another package.
symbolizer=external_symbolizer_path=/usr/bin/addr2line
export ASAN_OPTIONS=$symbolizer TSAN_OPTIONS=$symbolizer
export UBSAN_OPTIONS=print_stacktrace=1:$symbolizer

# A checkout may belong to another user than the one who runs the checks.
git() { command git -c safe.directory='*' "$@"; }

sources() { find bench src tests -name '*.h' -o -name '*.cpp'; }

check_format() {
  sources | xargs clang-format-19 --dry-run --Werror
}

# The unit tests and the fuzz corpus under AddressSanitizer and UBSan, built with clang.
check_asan() {
  scripts/build.sh asan
  ctest --preset asan --parallel "$(nproc)"
}

# A short search from the corpus, the same every time. What it finds lies in build/asan/found/.
check_fuzz() {
  scripts/build.sh asan
  local program name
  for program in build/asan/tests/fuzz/*_fuzz; do
    [ -x "$program" ] || continue
    name=$(basename "$program" _fuzz)
    rm -rf "build/asan/found/$name"
    mkdir -p "build/asan/found/$name"
    echo "$name"
    "$program" -seed=1 -runs=20000 -timeout=10 -verbosity=0 -print_funcs=0 \
      -artifact_prefix=build/asan/found/ "build/asan/found/$name" "tests/fuzz/corpus/$name"
  done
}

# The commit to compare with: where this branch left main, on main the commit before.
base_commit() {
  local base
  base=$(git merge-base HEAD origin/main 2> /dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse --verify --quiet HEAD~1 || true)
  fi
  echo "$base"
}

# The .cpp files of src/ to look at: the changed ones, and for a changed header one that includes
# it. All of them where there is nothing to compare with or the rules have changed.
tidy_sources() {
  local base changed file
  base=$(base_commit)
  changed=$(
    [ -z "$base" ] || git diff --name-only --diff-filter=d "$base"
    git ls-files --others --exclude-standard
  )
  if [ -z "$base" ] || grep -qx '.clang-tidy' <<< "$changed"; then
    sources | grep '^src/.*\.cpp$'
    return
  fi
  while read -r file; do
    case $file in
      src/*.cpp) echo "$file" ;;
      src/*.h)
        grep -rl --include='*.cpp' "#include \"${file#src/}\"" src | sort | head -1 || true
        ;;
    esac
  done <<< "$changed" | sort -u
}

check_tidy() {
  cmake --preset asan > /dev/null
  tidy_sources | xargs --no-run-if-empty -n 1 -P "$(nproc)" \
    clang-tidy-19 -p build/asan --quiet 2>&1 | sed '/warnings\? generated\.$/d'
}

# The tests that run several simulations at once, under ThreadSanitizer.
check_tsan() {
  scripts/build.sh tsan cli_test e2e_test
  ctest --preset tsan
}

scripts/install.sh build check
[ $# -gt 0 ] || set -- format asan fuzz tidy tsan
for stage in "$@"; do
  echo "== $stage"
  "check_$stage"
done
