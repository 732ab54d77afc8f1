#!/usr/bin/env bash
# The page of the translator by hand in a browser: page_test.sh <attention_by_hand> <empty folder to work in>. Ends with 77
# where there is no browser.
set -euo pipefail

by_hand=$1
work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
  echo "skipped: pages are looked at with Chromium and Python"
  exit 77
fi
rm -rf "$work"
"$by_hand" translate --out "$work" >/dev/null 2>&1
python3 "$here/page_test.py" "$browser" "$work/translator.html"

# ./run site puts axe where the site's other tools are.
python=$here/../../../build/site-tools/bin/python
[ -x "$python" ] || python=python3
"$python" "$here/../../support/accessibility.py" "$browser" "$work/translator.html" || [ $? -eq 77 ]
echo "all checks passed"
