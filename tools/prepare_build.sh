# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run and check: installs missing packages, configures and builds a preset quietly.
# shellcheck shell=bash disable=SC2154 # root comes from the caller

# say TEXT...: to standard error, since standard output belongs to the program.
say() {
  printf '%s\n' "$*" >&2
}

# install_missing PACKAGE...: asks apt only when a package is missing.
install_missing() {
  local missing=() package sudo=()
  command -v dpkg-query >/dev/null || return 0 # not Debian: cmake names what is missing
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "missing packages: ${missing[*]} (install them as root, or install sudo)"
      return 1
    fi
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  local install=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q
    --no-install-recommends "${missing[@]}")
  # Package lists may be absent or old: update only when the first attempt fails.
  "${install[@]}" >>"$log" 2>&1 </dev/null ||
    { "${sudo[@]}" apt-get update -q >>"$log" 2>&1 </dev/null &&
      "${install[@]}" >>"$log" 2>&1 </dev/null; }
}

# fail_with_log: shows the end of the log and leaves.
fail_with_log() {
  say "$1; the end of $log:"
  tail -n 40 "$log" >&2
  exit 1
}

# build_preset PRESET PACKAGE...: a built build/PRESET; fast when nothing changed.
build_preset() {
  local preset=$1 dir="$root/build/$1"
  shift
  log="$dir/build.log"
  mkdir -p "$dir" || exit 1
  exec 9>"$dir/.lock"
  flock 9 2>/dev/null || true # two callers must not build at once
  # A build directory that came from elsewhere is of no use here.
  if [ -f "$dir/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles" "$dir/build.ninja"
  fi
  if [ ! -f "$dir/build.ninja" ] || ! ninja -C "$dir" >"$log" 2>&1; then
    : >"$log"
    install_missing "$@" || fail_with_log "packages could not be installed"
    say "building trainrig in build/$preset"
    (cd "$root" && cmake --preset "$preset") >>"$log" 2>&1 || fail_with_log "configuration failed"
    ninja -C "$dir" >>"$log" 2>&1 || fail_with_log "the build failed"
  fi
  exec 9>&-
}
