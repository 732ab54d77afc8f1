# shellcheck shell=bash
# What CMake remembers of a checkout that was copied or moved leads to where it was.

# forget_another_place <checkout> <build folder>: so that it is configured anew.
forget_another_place() {
  local home
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$2/CMakeCache.txt" 2>/dev/null) || return 0
  [ -z "$home" ] || [ "$home" -ef "$1" ] || rm -rf "$2/CMakeCache.txt" "$2/CMakeFiles" "$2/build.ninja"
}
