#!/usr/bin/env bash
# The page of the translator by hand in a browser: page_test.sh <attention_by_hand> <empty folder to work in>. Ends with 77
# where there is no browser.
set -euo pipefail

by_hand=$1
work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$here/../../support/checks.sh"
find_browser
rm -rf "$work"
"$by_hand" translate --out "$work" >/dev/null 2>&1
python3 "$here/page_test.py" "$browser" "$work/translator.html"

find_nothing_serious "$work/translator.html"
echo "all checks passed"
