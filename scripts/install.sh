#!/usr/bin/env bash
# Installs the Debian packages of one or more sections of packages.txt; does nothing, and needs no
# rights, where all are there.
#   scripts/install.sh build
#   scripts/install.sh build check
set -euo pipefail
cd "$(dirname "$0")/.."

packages_of() {
  awk -v section="[$1]" '
    { sub(/#.*/, "") }
    /^\[/ { inside = ($1 == section); next }
    inside && NF { print $1 }' packages.txt
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v dpkg-query > /dev/null; then
  echo "warning: not a Debian system; see packages.txt for what the build needs" >&2
  exit 0
fi

missing=()
for section in "$@"; do
  wanted=$(packages_of "$section")
  if [ -z "$wanted" ]; then
    echo "error: packages.txt: no section [$section]" >&2
    exit 2
  fi
  for package in $wanted; do
    is_installed "$package" || missing+=("$package")
  done
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

refuse() {
  echo "error: $1" >&2
  echo "hint: as root: apt-get install ${missing[*]}" >&2
  exit 1
}

as_root=(env DEBIAN_FRONTEND=noninteractive)
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo > /dev/null || refuse "missing packages, and neither root nor sudo"
  as_root=(sudo "${as_root[@]}")
fi
apt() {
  "${as_root[@]}" apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@" \
    < /dev/null > /dev/null
}

echo "installing: ${missing[*]}" >&2
apt update || echo "warning: the package lists could not be brought up to date" >&2
apt install -y --no-remove --no-install-recommends "${missing[@]}" ||
  refuse "could not install: ${missing[*]}"
