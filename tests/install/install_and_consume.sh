#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs to a temporary prefix and builds a foreign project against it, by find_package and by
# pkg-config; a version that is too new is refused.
# usage: install_and_consume.sh CMAKE CC LIBDIR static|shared [FLAGS of the library's sanitizers]
set -eu
cmake=$1 cc=$2 libdir=$3 kind=$4 flags=${5:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
prefix=$dir/prefix
consumer=$RIG_SOURCE_DIR/tests/install/consumer

fail() {
  echo "$1"
  [ ! -f "$dir/log" ] || cat "$dir/log"
  exit 1
}

# configure BUILD-DIR [-D...]
configure() {
  local build=$1
  shift
  "$cmake" -G Ninja -S "$consumer" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$flags" "$@" >"$dir/log" 2>&1
}

"$cmake" --install "$RIG_BINARY_DIR" --prefix "$prefix" >"$dir/log" 2>&1 || fail "install failed"
data=$prefix/share/trainrig
for file in bin/trainrig include/trainrig/trainrig.h include/trainrig/version.h \
  share/trainrig/catalog/gpus.csv share/trainrig/model/constants.csv; do
  [ -f "$prefix/$file" ] || fail "not installed: $file"
done
"$prefix/bin/trainrig" --version >"$dir/log" 2>&1 || fail "the installed program does not run"

# 1. find_package
configure "$dir/cmake" || fail "find_package: configuration failed"
"$cmake" --build "$dir/cmake" >"$dir/log" 2>&1 || fail "find_package: build failed"
"$dir/cmake/consumer" "$data" || fail "find_package: consumer failed"

# 2. versions: 0.x promises nothing beyond its own minor version
for version in 0.2 1.0 99; do
  if configure "$dir/cmake-$version" -DWANTED_VERSION=$version; then
    fail "version $version was accepted"
  fi
  grep -q 'compatible with requested' "$dir/log" || fail "version $version: refused for no version"
done

# 3. pkg-config; a static library needs its private libraries named too
export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
options=(--cflags --libs)
[ "$kind" = shared ] || options+=(--static)
pkg-config --exists 'trainrig >= 0.1' || fail "pkg-config: trainrig not found"
! pkg-config --exists 'trainrig >= 99' || fail "pkg-config: version 99 was accepted"
# shellcheck disable=SC2046,SC2086 # flags are words
"$cc" $flags "$consumer/consumer.c" -o "$dir/consumer" $(pkg-config "${options[@]}" trainrig) \
  >"$dir/log" 2>&1 || fail "pkg-config: build failed"
LD_LIBRARY_PATH=$prefix/$libdir "$dir/consumer" "$data" || fail "pkg-config: consumer failed"
echo "installed and used, $kind"
