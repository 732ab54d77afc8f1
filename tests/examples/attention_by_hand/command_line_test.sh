#!/usr/bin/env bash
# The program `attention_by_hand` as its users run it: command_line_test.sh <attention_by_hand>
# Every digit that it prints is compared with those of expected_numbers.py, which knows nothing of the library.
set -euo pipefail

by_hand=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"

# numbers <arguments…>: the numbers of each line that is no prose.
numbers() {
  "$by_hand" "$@" --out "" | grep -E '^  ([^ ]|        )' | sed 's/ \([+-]\) /\1/g' | while read -r line; do
    grep -oE -e '-?([0-9]+(\.[0-9]+)?|∞)' <<<"$line" | paste -sd' ' || true
  done | grep .
}
expect_error() {
  local message=$1 error
  shift
  if error=$("$by_hand" "$@" 2>&1 >/dev/null); then fail "no error from: $*"; fi
  grep -qF -- "$message" <<<"$error" || fail "expected \"$message\" from: $*; got: $error"
}

check "every digit is that of an independent calculation"
diff <(numbers) "$here/expected/default.txt"
diff <(numbers --sentence "mice fear dogs cheese" --mask none --valid-length 3) "$here/expected/padding.txt"

check "the library's layer gives the same, and the program says so"
grep -q 'The two are the same' <<<"$("$by_hand")"
grep -q 'The two are the same' <<<"$("$by_hand" --valid-length 2)"
grep -q 'The two are the same' <<<"$("$by_hand" --sentence "dogs dogs dogs dogs dogs dogs dogs" --out "")"  # of which each is rounded

check "a page has every step, and needs no network"
work=$(mktemp -d)
"$by_hand" --out "$work" >/dev/null 2>&1
grep -q '>4. Scores: how well a key answers a query</h2>' "$work/page.html" # a sentence of its two lines
[ "$(grep -c '<h2[^>]*>[1-8]\. ' "$work/page.html")" -eq 8 ]
grep -q 'class="gradual map"' "$work/page.html"
grep -q '">4. Scores</a>' "$work/page.html"
if grep -qE '<p>[.[:digit:]]' "$work/page.html"; then fail "a heading stands in the text again"; fi
grep -q 'times each column of W<sub>Q</sub>' "$work/page.html"
grep -q '<th scope="row">chase </th><td>e<sup>1.5</sup> <b>=.*4.4817,</b> e<sup>0</sup> <b>=.*1,</b> e<sup>−∞</sup> <b>=.*0</b> </td>' "$work/page.html"
grep -qF '<tr><th scope="row">mice</th><td>1</td><td>0</td><td>−1</td></tr>' "$work/page.html"
[ "$(grep -o '<table class="sheet' "$work/page.html" | wc -l)" -eq 18 ] # of numbers, and of calculations
if grep -qE '(src|href)="(https?:)?//' "$work/page.html"; then fail "the page refers to the network"; fi
rm -r "$work"

check "where nothing is seen all weights are 0, and so is the result"
grep -q 'no key to look at, so all weights are 0' <<<"$("$by_hand" --valid-length 0)"
[ "$("$by_hand" --valid-length 0 | grep -cE '^  (cats|chase|mice) +0 +0$')" -eq 6 ]

check "help has the program's name, whole sentences, and no empty line at the end"
cmp <("$by_hand" translate --help | sed -n '1p;3p') <(printf '%s\n' \
  'Calculate a whole translator by hand, every number of which opens on a page.' 'Usage: attention_by_hand translate [options]')
[ -n "$("$by_hand" --help | tail -1)" ]

check "words that are not known and bad lengths get a clear error"
mkdir run && echo 'steps = 3' >run/settings.conf && echo precious >run/page.html
expect_error 'run/settings.conf: is of a run of translate' --out run
[ "$(cat run/page.html)" = precious ]
expect_error '--sentence: each word must be a known one: got "birds"; known are cats' --sentence "cats chase birds"
expect_error '--sentence: there must be a word' --sentence ""
expect_error '--valid-length: it must lie in 0 … 3, the number of words: got 4' --valid-length 4
expect_error '--mask' --mask windowed

conf=$here/../../../nn/transformer/frozen_translator.conf

check "the frozen translator knows its six sentences, and says so in 80 columns"
sentences='il fait froid → it is cold
il fait chaud → it is hot
il a froid → he is cold
il a chaud → he is hot
elle a froid → she is cold
elle a chaud → she is hot'
while read -r line; do
  "$by_hand" translate --out "" --sentence "${line% →*}" >"$work.txt"
  grep -qx "$line" "$work.txt" || fail "expected: $line"
  grep -q '^scores of words agree to 0.00001' "$work.txt"
  if grep -qE '.{81}' "$work.txt"; then fail "a line has more than 80 columns"; fi
done <<<"$sentences"
for sentence in fait "il elle" "il froid" "elle froid" "il il il il il il il il"; do # which it never read, and rounding moves more
  "$by_hand" translate --out "" --sentence "$sentence" >"$work.txt" || fail "no translation of: $sentence"
  grep -qE '^scores of words agree to 0.0*1\.$' "$work.txt"
done

check "each of its numbers is that of an independent calculation, and each sum on its page adds up"
"$by_hand" translate --out "$work" >/dev/null 2>&1
if command -v python3 >/dev/null; then
  python3 "$here/expected_translation.py" "$conf" "$work/translator.html" >"$work.txt" || fail "$(cat "$work.txt")"
  diff <(head -5 "$work.txt") "$here/expected/translation.txt"
  grep -qx '904 sums' "$work.txt" # as chapter 11 says
fi
[ "$(grep -oE '">[1-9]\. [^<]*</a>' "$work/translator.html" | sort -u | wc -l)" -eq 9 ] # each part has a link of its own
grep -q '">6. Decoder self-attention</a>' "$work/translator.html"
[ "$(wc -c <"$work/translator.html")" -lt 1000000 ]
if grep -qE '(src|href)="(https?:)?//' "$work/translator.html"; then fail "the page refers to the network"; fi

# Which weights are reached depends on the last digit of each product, and so on the processor: other kernels of OpenBLAS end
# up to 0.26 away.
check "training gives a translator of the same words that knows the six sentences"
"$by_hand" train >"$work.txt"
names() { awk '/^(source|target) =/ { print; next } { print $1 }' "$1"; }
diff <(names "$work.txt") <(names "$conf")
while read -r line; do
  "$by_hand" translate --weights "$work.txt" --out "" --sentence "${line% →*}" >"$work.page.txt"
  grep -qx "$line" "$work.page.txt" || fail "expected after training: $line"
done <<<"$sentences"
rm -r "$work" "$work.txt" "$work.page.txt"

check "a file that has no such weights gets a clear error"
printf 'source = il\ntarget = it\n' >"$work.txt"
expect_error 'frozen translator: source_embedding.weight must have 4 numbers: it has 0' translate --weights "$work.txt"
printf 'source il\n' >"$work.txt"
expect_error 'frozen translator: a line must be "name = …": got "source il"' translate --weights "$work.txt"
rm "$work.txt"
expect_error "$work.txt" translate --weights "$work.txt"

check "words that the translator does not know, and none at all, get a clear error"
expect_error 'each word must be a known one: got "pleut"' translate --sentence "il pleut"
expect_error '--sentence: there must be 1 … 8 words: got 0' translate --sentence ""
expect_error 'translation' translation

check "a mistake in the command line ends with code 2"
code=0
"$by_hand" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"
