#!/usr/bin/env bash
# The program `molecules` as its users run it: command_line_test.sh <molecules> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

molecules=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$molecules" "${@:2}"; }

check "whoever sees bonds, by looks or by means, is nearer to the truth than atoms that are alone, and tells isomers apart"
"$molecules" --steps 400 --tested 200 --json --out run >figures.json
[ "$(wc -l <figures.json)" -eq 1 ]
read -r attending once averaged alone < <(grep -oE '"mean_error":[0-9.]+' figures.json | cut -d: -f2 | xargs)
awk "BEGIN { exit !(2 * $attending < $alone && 2 * $once < $alone && 2 * $averaged < $alone) }" || fail "mean errors: $attending, $once, $averaged and $alone"
read -r ethanol ether < <(grep -oE '"(ethanol|dimethyl_ether)":[0-9.]+' figures.json | tail -2 | cut -d: -f2 | xargs)
# Their order differs, and so may the rounding of their sum: by ten units in the last place of 323 K.
awk "BEGIN { difference = $ethanol - $ether; exit !(difference * difference < 0.0003 ^ 2) }" ||
  fail "alone, the atoms of isomers must give the same: $ethanol and $ether"

check "the table fits 80 columns, and says what is to be reached"
"$molecules" --steps 20 --tested 20 --out told >table.txt 2>told.txt
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^measured/q' table.txt); then fail "too wide"; fi
grep -qE "^Joback's estimate +64.4 °C +−5.4 °C" table.txt || fail "$(cat table.txt)"
if grep -qE '^(one answer for all|always the mean)' table.txt; then fail "a guess stands among the models: $(cat table.txt)"; fi
LC_ALL=C.UTF-8 grep -qE '>always the mean</td><td[^>]*>[1-9][0-9]+\.[0-9] °C</td><td[^>]*>[1-9][0-9]+\.[0-9] °C</td><td[^>]*></td><td[^>]*></td>' <(plain told/page.html) || fail "the page does not say what a guess is worth"
[ "$(grep -c "Joback's method, which adds up what groups of atoms" table.txt)" -eq 1 ] || fail "that Joback's estimate is to be learnt is not said once: $(cat table.txt)"
[ "$(tr '\n' ' ' <table.txt | grep -o 'no two alike' | wc -l)" -eq 1 ] || fail "$(cat table.txt)"
grep -qE "^measured +78.3 °C +−24.8 °C" table.txt || fail "$(cat table.txt)"
[ "$(sed -n '/^two looks along bonds  /,/^measured/{/^$/!p}' table.txt | LC_ALL=C.UTF-8 sed -E 's/( +[0-9,]+ +[0-9.]+ s)?$//; s/./x/g' | sort -u | wc -l)" -eq 1 ] || fail "rows do not end below each other: $(cat table.txt)"
for closing in "Joback's estimate" 'Models learn the' 'Are the groups found?' page; do
  grep -B 1 "^$closing " table.txt | head -1 | grep -qx '' || fail "no empty line before $closing: $(cat table.txt)"
done

check "what is measured is said to differ from the estimate, and by how much"
for file in table.txt run/page.html; do
  grep -q 'Models learn the estimate, which is itself off by 14 °C for ethanol and 19 °C for the ether' <(plain $file | tr '\n' ' ') || fail "not in $file"
done

check "a newcomer's screen holds it, with what each group adds"
[ "$(wc -l <table.txt)" -le 52 ] || fail "$(wc -l <table.txt) lines"
grep -q 'Are the groups found? Every sum begins at −74\.95 °C; what the atoms of each group add to it' <(tr '\n' ' ' <table.txt) || fail "nothing says where sums begin: $(cat table.txt)"
groups=$(sed '1,/^Are the groups found?/d' table.txt)
grep -qE '^(Nearly: with two looks no group is farther off than|Not yet: with two looks a group is still off by) [0-9.]+ °C; where each atom is alone, one is off by [0-9.]+ °C\.' <(tr '\n' ' ' <table.txt | sed 's/ Nearly: /\nNearly: /; s/ Not yet: /\nNot yet: /') || fail "the question is not answered: $(cat table.txt)"
for group in 'CH₃ of ethanol' 'CH₂ of ethanol' 'OH of ethanol' 'CH₃ of dimethyl ether' 'O of dimethyl ether'; do
  [ "$(grep -cE "^$group +[0-9.]+ °C +−?[0-9.]+ °C +−?[0-9.]+ °C$" <<<"$groups")" -eq 1 ] || fail "no $group: $(cat table.txt)"
done
grep -qE '^OH of ethanol +92\.9 °C ' <<<"$groups" && grep -qE '^O of dimethyl ether +22\.4 °C ' <<<"$groups" || fail "not Joback's: $groups"
LC_ALL=C.UTF-8 grep -qE 'Of all groups of both molecules the (CH₃|CH₂|OH|O) of (ethanol|dimethyl ether) is farthest off with two looks, by [0-9.]+ °C: only the sum' <(plain run/page.html) || fail "the page does not say which group is farthest off"
[ "$(grep -oE '>[^<>]* of (ethanol|dimethyl ether)</td>' run/page.html | wc -l)" -eq 5 ] || fail "the page has not every group"

check "it begins with the task and an example"
head -1 table.txt | grep -qx 'Can a model tell ethanol from dimethyl ether?' && sed -n 3p table.txt | grep -q '^The task: at what temperature' && sed -n 6p table.txt | grep -q '^  CH₃–CH₂–OH, ethanol  *→  64.4 °C$' && sed -n 7p table.txt | grep -q '^  CH₃–O–CH₃, dimethyl ether  *→  −5.4 °C$' || fail "$(cat table.txt)"

check "it says what a look is for"
grep -q 'After one look or mean an O knows whether an H or two carbons are beside it' <(tr '\n' ' ' <table.txt | tr -s ' ') || fail "$(cat table.txt)"

check "it says how far it is, in words where nobody watches"
grep -q 'two looks along bonds  *20/20 .*done in' told.txt || fail "$(cat told.txt)"

check "the page needs no network and draws who looks at whom, and ethanol"
grep -q 'class="gradual molecule"' run/page.html
grep -q '<svg' run/page.html
grep -q 'the more, the thicker the bond' run/page.html && grep -q '>oxygen</text>' run/page.html && grep -q '>adds 60 °C or more</text>' run/page.html || fail "nothing says what the pictures show"
grep -q 'Of the 200 molecules the first 120 are drawn' run/page.html || fail "nothing says how many dots there are"
[ "$(grep -o '>no error</text>' run/page.html | wc -l)" -eq 4 ] || fail "each model has no chart of its own, for desktop and phone"
[ "$(grep -c 'class="gradual molecule"' run/page.html)" -eq 6 ] || fail "ethanol and its isomer are not both there"
# Each chart is a path in a class of its colour: the attending model is blue (s0) and the other orange (s1), in all of them alike.
colours() { grep -oE '<svg[^>]*class="gradual chart( many)?"[^>]*aria-label="'"$1"'.*' run/page.html | sed 's/<svg/\n&/g' | grep -F "$1" | grep -oE '<path class="line s[0-9]+"' | grep -oE 's[0-9]+' | xargs; }
[ "$(colours 'Predicted')" = 's0 s0 s1 s1' ] || fail "colours of the models: $(colours 'Predicted')"
[ "$(colours 'Mean error')" = 's0 s1 s0 s1' ] || fail "colours of the errors: $(colours 'Mean error')"
if grep -oE 'class="gradual molecule".*' run/page.html | grep -qE 'class="paper s[01]"'; then fail "an atom has the colour of a model"; fi
# In a square with equal axes the line of no error rises as much as it goes to the right.
grep -oE '<g stroke-dasharray="5 5"><path class="line limit" d="M[0-9.]+ [0-9.]+L[0-9.]+ [0-9.]+"' run/page.html | sed -E 's/.*d="M|"$//g; s/[L ]/ /g' |
  awk '{ if (($3 - $1 - $2 + $4) ^ 2 > 0.3 ^ 2) exit 1; ++n } END { exit n != 4 }' || fail "axes of predicted and true are not equal"
drawn=$(grep -n -m 1 'aria-label="Ethanol, with its boiling point"' run/page.html | cut -d: -f1)
charted=$(grep -n -m 1 'class="gradual chart"' run/page.html | cut -d: -f1)
tabled=$(grep -n -m 1 '<table' run/page.html | cut -d: -f1)
[ "$drawn" -lt "$charted" ] && [ "$charted" -lt "$tabled" ] || fail "lines $drawn, $charted and $tabled: the isomers come first, then charts, then tables"
for model in 'two looks along bonds' 'one look along bonds' 'two means along bonds' 'each atom alone'; do
  grep 'aria-label="Ethanol, with its boiling point"' run/page.html | grep -qE ">$model</text>.*°C</text>" || fail "what $model says is not under ethanol"
done
grep -qE 'In short: what is bound to what is what counts\..*For other seeds see examples/molecules/README\.md' <(plain run/page.html | tr '\n' ' ') ||
  fail "the page does not say what bonds are worth"
[ "$(grep -oE 'aria-label="Mean error.*' run/page.html | grep -oE '>(two looks|one look|two means) along bonds</text>|>each atom alone</text>' | sort | uniq -c | awk '{ print $1 }' | xargs)" = '2 2 2 2' ] || fail "curves have no names at their ends"
if grep -q 'In short: what is bound to what is what counts' told/page.html table.txt; then fail "it praises bonds before they are learnt"; fi
for structure in Ethanol 'Dimethyl ether'; do
  grep "aria-label=\"$structure, with what its oxygen gives" run/page.html | sed "s/.*aria-label=\"$structure, with what its oxygen gives//; s/<\/svg>.*//" | grep -oE '>0\.[0-9]{2}</text>' | tr -d '></tex' |
    awk '{ sum += $1; ++n } END { exit !(n == 3 && sum > 0.975 && sum < 1.025) }' || fail "what the oxygen of $structure gives does not add up"
done
LC_ALL=C.UTF-8 grep -qE '>(C|N|O|F)[HCNOF₂₃()-]+-[HCNOF₂₃()-]+</td>' run/page.html || fail "no structure of a worst case is shown"
grep -q 'farthest off' run/page.html || fail "the worst cases are missing"
for file in run/page.html table.txt; do grep -q 'the same formula, C₂H₆O: atoms alone must give both the same' $file; done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html molecules

check "the sum of groups that is written out is right to the last digit"
sum=$(grep -oE "gives ethanol [^=]*= [0-9.]+" run/page.html | sed 's/gives ethanol //; s/−/-/')
awk -v sum="$sum" 'BEGIN { n = split(sum, parts, / [+=] /); for (i = 1; i < n; ++i) total += parts[i]; exit !(n == 5 && sprintf("%.2f", total) == parts[n]) }' || fail "not a sum: $sum"

check "what atoms add makes up what is predicted, and the hydrogen of OH is another than those of carbon only where it attends"
added() { sed -nE "s|.*>[^>]* of ethanol</td><td[^>]*>.*</td><td[^>]*>(.*) °C</td><td[^>]*>(.*) °C</td>.*|\\$1|p" run/page.html | sed 's/−/-/' | xargs; }
boils() { grep -oE '"ethanol":[0-9.]+' figures.json | sed -n "$((3 * $1 - 2))s/.*://p"; }  # of the first and the last of four
for model in 1 2; do
  added $model | awk -v boils="$(boils $model)" '{ exit !(NF == 3 && ($1 + $2 + $3 - 74.95 - boils) ^ 2 < 0.2 ^ 2) }' || fail "$(added $model) and $(boils $model)"
done
read -r on_oxygen on_carbon < <(sed -nE 's/.*the one of OH adds (−?[0-9.]+) °C with two looks, one of CH₃ (−?[0-9.]+) °C\. .*/\1 \2/p' <(plain run/page.html) | sed 's/−/-/g')
awk "BEGIN { exit !($on_oxygen > $on_carbon + 20) }" || fail "hydrogens: $on_oxygen and $on_carbon"
grep -q ">+$on_oxygen</text>" run/page.html || fail "what H6 adds is not drawn"

check "no molecule is tested on twice: of small ones there are fewer than were asked for"
"$molecules" --steps 5 --atoms 4 --out few >few.txt 2>/dev/null
LC_ALL=C.UTF-8 grep -qE ' on [1-9][0-9]? others, no two alike,' <(tr '\n' ' ' <few.txt) || fail "$(cat few.txt)"

check "the same seed gives the same figures"
"$molecules" --steps 20 --tested 20 --json --out a | sed 's/"cpu_seconds":[^,]*//g' >first.json
"$molecules" --steps 20 --tested 20 --json --out b --threads 1 | sed 's/"cpu_seconds":[^,]*//g' | cmp - first.json

check "bad input gets an error that names the rule"
expect_error "the heads must divide the width: width is 32, heads are 5" --heads 5
grep -q '^molecules: the heads' err.txt || fail "$(cat err.txt)"
expect_error "at least 2 atoms besides hydrogen: got 1" --atoms 1
expect_error "there must be formulas to train and others to test on: up to 2 atoms" --atoms 2
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0

check "a mistake in the command line ends with code 2"
code=0
"$molecules" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"
