#!/usr/bin/env bash
# The pages of `translate` in a browser: page_test.sh <translate> <empty folder to work in>. Ends with 77 where there is no
# browser.
set -euo pipefail

translate=$1
work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$here/../../support/checks.sh"
find_browser
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# A model that knows little, for pages that show all there is.
"$translate" train --steps 40 --batch-tokens 512 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1 --out run >/dev/null 2>&1

: >served.txt
"$translate" serve --model run/model.safetensors --port 0 >>served.txt 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 300); do ! grep -q 'http://' served.txt || break; sleep 0.1; done
url=$(grep -o 'http://[^ ]*' served.txt || true)
# shellcheck disable=SC2086  # none or one
python3 "$here/page_test.py" "$browser" run/page.html $url

"$translate" attention --model run/model.safetensors "The small cat sleeps." >/dev/null 2>&1
# shellcheck disable=SC2086  # none or one
find_nothing_serious run/page.html attention.html $url
echo "all checks passed"
