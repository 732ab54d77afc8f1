#!/usr/bin/env bash
# Gradescope runs this once, as root, when it makes the image: installs what the grader needs, and builds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/gradual"
./run assignments --help >/dev/null
./run translate --help >/dev/null  # which 09 trains
./run assignments course --help | grep -q autograde ||
  { echo "setup.sh: the grader was built without courses: libarchive-dev or libssl-dev is missing" >&2; exit 1; }
