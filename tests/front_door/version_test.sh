#!/usr/bin/env bash
# The version of CMakeLists.txt is that of every file that names one: version_test.sh <version>.
set -euo pipefail
cd "$(dirname "$0")/../.."
failed=0
# names <file> <line>: the file has a line like that.
names() { grep -qxE -- "$2" "$1" || { echo "$1 has no line like: $2" >&2 && failed=1; }; }

names CHANGELOG.md "## ${1//./\\.} .*"
names CITATION.cff "version: ${1//./\\.}"
names docs/getting-started.md "FetchContent_Declare\(gradual GIT_REPOSITORY [^ ]+ GIT_TAG v${1//./\\.}\)"
names cmake/recipes/vcpkg/vcpkg.json "  \"version\": \"${1//./\\.}\","
names cmake/recipes/conda-forge/recipe.yaml "  version: ${1//./\\.}"
exit $failed
