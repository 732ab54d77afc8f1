#!/usr/bin/env bash
# The program `classify` as its users run it: command_line_test.sh <classify> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

classify=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$classify" "${@:2}"; }
small=(--models 1 --epochs 3 --width 16 --feed-forward 16)
figure() { grep -oE "\"$1\":[0-9.]+" "$2" | head -1 | cut -d: -f2; }  # the first number of this name
holds() { awk "BEGIN { exit !($1) }" || fail "$1"; }

check "generated reviews, whose last verdict counts, are learnt, and the words that decide are those that were meant to"
"$classify" --out run >printed.txt 2>told.txt
grep -q '756/756 .*done in' told.txt || fail "it does not say how far it is: $(cat told.txt)"
right() { sed -nE "s/^$1 +([0-9.]+) %  .*/\1/p" printed.txt; }
holds "$(right "attention alone") > 95 && $(right "n-grams alone") > 80"
holds "$(right "attention alone") > $(right "n-grams alone") + 8"  # these do not know what came last
in_words=$(tr '\n' ' ' <printed.txt)
grep -q 'Trained on 2,000 reviews, each seen 12 times (seed 1), and tested on 500 others: ' <<<"$in_words" || fail "$in_words"
grep -q 'Trained on 2,000 reviews, each seen 12 times (seed 1), and tested on 500 others' run/page.html || fail "not on the page"
meant='not|tiresome|dull|awful|clumsy|boring|shallow|wonderful|brilliant|moving|clever|charming|superb'
# Each review with what both say to it, in one line.
reviews() { sed -n '/^Attention is right and n-grams are wrong/,/^page /p' printed.txt | awk -v RS= '{ gsub(/\n +/, " "); gsub(/ +/, " "); print }' | grep ' attention '; }
verdicts=$(reviews | grep -cE ' attention ✓ (praise|complaint) ')
found=$(reviews | grep -cE "\[($meant) (0\.[5-9]|1\.0)[0-9]*\].* attention ✓ (praise|complaint) [0-9]+ % sure, weights [0-9., ]+ without places [✓✗] [a-z]+ [0-9]+ % sure, weights [0-9., ]+ n-grams ")
holds "$verdicts >= 2 && $found == $verdicts"
weighty=$(sed -nE 's/.* In ([0-9.]+) % of the reviews with a verdict, attention gives most weight to a word of the last one\..*/\1/p' <<<"$in_words")
holds "$weighty > 95"
grep -qE '<b style="--weight:0\.9[0-9]*">[a-z]+<small>(0\.9[0-9]|1\.00)</small></b>' run/page.html || fail "no word is shaded, with its weight beside it"
if grep -qE '<b [^>]*>[a-z]+<small>0\.0' run/page.html; then fail "a faint word is shaded"; fi
# Each review with what is said of it, in one line.
cards() { sed -n '/<div class="reviews">/,/^<\/div>$/p' run/page.html | awk '{ printf "%s", $0 } /<\/p><\/div>$/ { print "" }'; }
grep -qE 'right: ([a-z]+); verdicts: [^<]*, \1 ← last</p><p class="label">attention: <span class="right">✓</span> \1, [0-9]+ % sure</p><p class="review".*<p class="label">without places: <span class="wrong">✗</span> [a-z]+, [0-9]+ % sure</p><p class="review".*<p class="label">n-grams: <span class="wrong">✗</span> [a-z]+, [0-9]+ % sure<' <(cards) || fail "no review that attention alone knows"
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html classify

check "it begins with the task, an example and who is tried at it, says what a weight and a word may stand for, and shows at most four documents that both know"
head -1 printed.txt | grep -qx 'Which model notices that the last verdict counts?' && sed -n 3p printed.txt | grep -q '^The task: ' && grep -q '  →  complaint$' printed.txt || fail "$(cat printed.txt)"
for name in 'attention alone' 'without places' 'n-grams alone' 'both together'; do
  [ "$(sed '/^Trained on/q' printed.txt | grep -cE "^  $name  +[a-z]")" -eq 1 ] || fail "nothing says what $name is: $(cat printed.txt)"
  grep -q "<dt>$name</dt><dd>" run/page.html || fail "nothing on the page says what $name is"
done
grep -qE '  attention alone +adds up all words by weights that sum to 1, learnt from what +the word says and where it stands;' <<<"$in_words" || fail "$(cat printed.txt)"
grep -q 'The weight of a word is its share in the mean by which attention decides\.' <<<"$in_words" || fail "$(cat printed.txt)"
for old in 'no places' 'the same,' 'without  *places  *attention is'; do if grep -qE "$old" printed.txt run/page.html told.txt; then fail "attention without places has another name: $old"; fi; done
grep -q 'so weight on "not" counts for "not dull"' <<<"$in_words" || fail "$(cat printed.txt)"
[ "$(cards | grep -cE 'attention: <span class="right">✓</span> [a-z]+, .*n-grams: <span class="right">✓</span> ')" -eq 4 ] || fail "not four documents that both know"

check "what is printed of a document is attention's own: its verdict, also where the n-grams differ, and how sure it is"
below() { sed -nE "/^$1, on [0-9]+ of 500:\$/,/^([A-Z]|page )/{/^ |^$/p}" printed.txt | awk -v RS= '{ gsub(/\n +/, " "); gsub(/ +/, " "); print }'; }
how_many() { sed -nE "s/^$1, on ([0-9]+) of 500:$/\1/p" printed.txt; }
[ "$(below 'Attention is right and n-grams are wrong' | grep -cE ' verdicts: [a-z, ]+ ← last attention ✓ [a-z]+ .* without places ✗ .* n-grams ✗ ')" -eq 1 ] || fail "$(cat printed.txt)"
[ "$(below 'Attention and n-grams are both right' | grep -cE ' verdicts: [a-z, ]+ ← last attention ✓ [a-z]+ .* n-grams ✓ ')" -eq 1 ] || fail "$(cat printed.txt)"
if [ "$(right "attention alone")" != 100.0 ]; then
  below 'Attention is wrong' | grep -qE ' verdicts: ([a-z, ]+ ← last|none) attention ✗ [a-z]+ .* n-grams [✓✗] [a-z]+ [0-9]+ % sure( Its weight is split: .*)?$' || fail "$(cat printed.txt)"
fi
# Where n-grams say something else, they give what is right at most a half: the mean of both would be 75 % at most.
below 'Attention is right and n-grams are wrong' | sed -nE 's/.* attention ✓ ([a-z]+) ([0-9]+) % sure, weights [0-9., ]+ without places ✗ [a-z]+ [0-9]+ % sure, weights [0-9., ]+ n-grams ✗ ([a-z]+) ([0-9]+) % sure$/\1 \2 \3 \4/p' |
  awk '$1 != $3 && $2 > 75 && $4 > 50 { ++n } END { exit n != 1 }' || fail "$(cat printed.txt)"
[ "$(grep -E '^    (attention|without places|n-grams)  ' printed.txt | LC_ALL=C.UTF-8 sed -E 's/( % sure).*/\1/; s/./x/g' | sort -u | wc -l)" -eq 1 ] || fail "what both say does not stand below each other: $(cat printed.txt)"

check "in short it says that order decides, what counting verdicts is worth, whether chance may part the other two, and no figure of the table, on the page as well"
without=$(right "without places")
holds "$without < $(right "attention alone") - 8"
# may_be_chance <share> <other>: no farther apart than two standard errors of their difference.
may_be_chance() { awk "BEGIN { a = $1; b = $2; d = a > b ? a - b : b - a; exit !(d <= 2 * sqrt((a * (100 - a) + b * (100 - b)) / 500)) }"; }
majority=$(grep -oE 'Who just counts verdicts is right in [0-9.]+ %' <<<"$in_words" | grep -oE '[0-9]+\.[0-9]')
holds "$majority > 80 && $majority < 92"
may_be_chance "$majority" "$without" && may_be_chance "$majority" "$(right "n-grams alone")" && may_be_chance "$without" "$(right "n-grams alone")" || fail "the figures do not bear what is looked for below"
for said in "In short: the order of the verdicts decides, and only attention that is told the places of words knows it\." \
  "Who just counts verdicts is right in $majority % (a draw counts half), which is about what n-grams and attention without places get: they know which verdicts stand there, but not their order\. The difference between these two may be chance\." \
  "In $weighty % of the reviews with a verdict"; do
  grep -q "$said" <<<"$in_words" || fail "not said: $said: $in_words"
  grep -q "$said" <(plain run/page.html) || fail "not on the page: $said"
done
bars=$(tr '\n' ' ' <run/page.html | grep -oE '<ol class="bars.*|<ul class="bars.*' | sed 's/<\/[ou]l>.*//' | plain /dev/stdin)
for each in "$(right "attention alone")" "$without" "$(right "n-grams alone")" "$majority" "$(sed -nE 's/^always praise +([0-9.]+) % .*/\1/p' printed.txt)"; do grep -q "$each" <<<"$bars" || fail "$each has no bar: $bars"; done

[ "$(grep -oE '<li( class="best")?[^>]*><span dir="auto">[a-z -]+' <<<"$(tr '\n' ' ' <run/page.html | grep -oE '<ol class="bars.*' | sed 's/<\/ol>.*//')" | sed -E 's/<li class.*>/+/; s/<li.*>/-/' | xargs -d '\n' | sed 's/\(counting verdicts\|always praise\)/\1;/g')" = '+attention alone +both together +without places +n-grams alone -counting verdicts; -always praise;' ] || fail "bars: $bars"

check "the page begins with a shaded review, then bars, then reasons, and folds the table; it says what the parameters buy"
awk '/<p class="review" / && !review { review = NR } /<ol class="bars/ { bars = NR } /Who just counts verdicts/ { reasons = NR } /<details>/ { open = 1 } /<\/details>/ { open = 0 } /<table/ { if (!open) exit 1; table = NR } /<h2/ && !section { section = NR }
  END { exit !(review && review < bars && bars < reasons && reasons < table && table < section) }' run/page.html || fail "the page has another order"
grep -qF "Attention takes $(sed -nE 's/^attention alone .* ([0-9]+,[0-9]+) +[0-9.]+ s$/\1/p' printed.txt) parameters, n-grams $(sed -nE 's/^n-grams alone .* ([0-9]+,[0-9]+) +[0-9.]+ s$/\1/p' printed.txt): they buy $(right "attention alone") % instead of $(right "n-grams alone") %, and only because words are told their places: without, $(sed -nE 's/^without places .* ([0-9]+,[0-9]+) +[0-9.]+ s$/\1/p' printed.txt) buy $without %." <(plain run/page.html) || fail "the page does not say what parameters buy"

check "of each example the verdicts are listed in order, the last one is marked, and the weights on them add up, told places or not"
for sort in 'Attention is right and n-grams are wrong' 'Attention and n-grams are both right'; do
  example=$(below "$sort")
  grep -qE '»the [a-z]+ was [^»«]*\.«' <<<"$example" || fail "no last verdict: $example"
  for who in attention 'without places'; do
    verdicts=$(sed -nE 's/.* verdicts: ([a-z, ]+) ← last .*/\1/p' <<<"$example" | tr ',' '\n' | wc -l)
    sed -nE "s/.* $who [✓✗] [a-z]+ [0-9]+ % sure, weights (([01]\\.[0-9]+,? )+).*/\\1/p" <<<"$example" | tr -d , | awk -v n="$verdicts" '{ for (i = 1; i <= NF; ++i) sum += $i; ++lines; fields = NF } END { exit !(lines == 1 && fields == n && sum > 0.9 && sum < 1.03) }' || fail "$who: $example"
  done
done
grep -q 'Between » and «: the last verdict. Behind what attention says, told places and not: its weights on the verdicts, in their order.' <<<"$in_words" || fail "$in_words"

check "it says where the weights are with places and without, and that these are spread where they are"
read -r last earlier other_last other_earlier alike < <(sed -nE 's/.* In reviews with several verdicts attention gives ([0-9.]+) of its weight to the last one and ([0-9.]+) to each one before it; without places it gives ([0-9.]+) and ([0-9.]+)(\.|: it spreads them over all verdicts alike\.) .*/\1 \2 \3 \4 \5/p' <<<"$in_words" | tr -s ' ')
holds "$last > 0.8 && $earlier < 0.15 && $other_last < 0.6 && $other_earlier > 0.3"
holds "($other_last - $other_earlier < 0.1 * ($other_last + $other_earlier)) == ($(grep -c spreads <<<"$alike") == 1)"
grep -q "; without places it gives $other_last and $other_earlier" run/page.html || fail "not on the page"

check "why attention is wrong is said where its weights are split between verdicts that differ, and nowhere else"
below 'Attention is wrong' | sed -nE 's/.* verdicts: ([a-z, ]+) ← last attention ✗ [a-z]+ [0-9]+ % sure, weights ([0-9., ]+) without places .* sure( Its weight is split: ([0-9.]+) lies on the last verdict, ([0-9.]+) on one before that says the opposite\.)?$/\1;\2;\4;\5/p' | tr -d , | awk -F ';' '
  { n = split($1, label, " "); split($2, weight, " "); for (i = 1; i < n; ++i) if (!rival || weight[i] > weight[rival]) rival = i
    split_up = n > 1 && label[rival] != label[n] && weight[rival] + weight[n] >= 0.9 && (weight[rival] - weight[n]) ^ 2 <= 0.04
    if (split_up ? $3 != weight[n] || $4 != weight[rival] : $3 != "") exit 1; ++seen } END { exit seen != '"$(($(how_many 'Attention is wrong') > 0))"' }' || fail "$(below 'Attention is wrong')"
[ "$(grep -c 'Its weight is split' printed.txt)" -le 1 ] || fail "$(cat printed.txt)"
if [ "$(how_many 'Attention is wrong')" = 1 ]; then [ "$(grep -c 'Its weight is split' printed.txt)" -eq "$(grep -c 'Its weight is split' run/page.html)" ] || fail "terminal and page differ"; fi

check "an example that only attention knows has its weight on a 'not', one that both know on a word that stands for itself; on the page these come first"
below 'Attention is right and n-grams are wrong' | grep -qE "\[not [01]\.[0-9]+\] ($meant)\." || fail "$(cat printed.txt)"
below 'Attention and n-grams are both right' | grep -qE "[a-z]+ was \[($meant) [01]\.[0-9]+\]" || fail "$(cat printed.txt)"
# The heaviest word of each, where a "not" may stand with the word behind it.
tops=$(sed -n '/>Attention is right and n-grams are wrong/,/>Attention is wrong/p' run/page.html | grep -oE 'label">attention: .*<p class="review".*' |
  while read -r review; do grep -oE '<b style="--weight:[0-9.]+">[a-z]+' <<<"$review" | sed -E 's/.*weight:([0-9.]+)">/\1 /' | sort -rn | head -1; done | cut -d' ' -f2)
[ "$(wc -l <<<"$tops")" -eq 4 ] && grep -q '^not$' <<<"$tops" && [ "$(sed '1,/^not$/d' <<<"$tops" | grep -vc '^not$')" -eq 0 ] || fail "$tops"

check "on the page each verdict is underlined as what it is, the last one thicker, and shaded twice: by the weights with places and without"
clumsy=$(grep -m 1 '<u class="complaint">the camera was clumsy\.</u> <u class="complaint">the ending was dull\.</u> <u class="praise last">the pace was <b [^>]*>moving<small>0\.[0-9]*</small></b>\.</u>' <(cards)) || fail "no verdicts"
grep -q 'right: praise; verdicts: complaint, complaint, praise ← last<' <<<"$clumsy" || fail "$clumsy"
grep -qE '>without places: .*<u class="complaint">the camera was <b [^>]*>clumsy<small>0\.[0-9]*</small></b>\.</u> <u class="complaint">the ending was <b [^>]*>dull<small>' <<<"$clumsy" || fail "not shaded by the weights without places: $clumsy"
[ "$(cards | grep -o '<p class="review"' | wc -l)" -eq $((2 * $(cards | wc -l))) ] || fail "not two lines for each review"
grep -q 'weight of a word .*verdicts: <u class="praise">praise</u>, <u class="complaint">complaint</u>; <u class="praise last">a thick line</u>: the last one' run/page.html || fail "no legend"

check "the three groups hold all reviews"
[ $(($(how_many 'Attention is right and n-grams are wrong') + $(how_many 'Attention is wrong') + $(how_many 'Attention and n-grams are both right'))) -eq 500 ] || fail "$(cat printed.txt)"

check "a table says how many of each label are right, what training took, and what the best single answer is worth, within 80 columns"
grep -qE '^ +all +complaint +neither +praise +CPU$' printed.txt && grep -qE '^ +of 500 +of 212 +of 50 +of 238 +parameters +time$' printed.txt || fail "$(cat printed.txt)"
grep -qE '^attention alone +[0-9.]+ % +100\.0 % .* [0-9]{3},[0-9]{3} +[0-9.]+ s$' printed.txt || fail "$(cat printed.txt)"
grep -qE '^n-grams alone +[0-9.]+ % .* [0-9],[0-9]{3} +[0-9.]+ s$' printed.txt || fail "$(cat printed.txt)"
grep -qE '^always praise +47\.6 % +0\.0 % +0\.0 % +100\.0 %$' printed.txt || fail "$(cat printed.txt)"
if LC_ALL=C.UTF-8 grep -E '^.{81}' printed.txt | grep -v '^page '; then fail "too wide"; fi

check "a document is printed as one writes"
if grep -q ' [.,]' printed.txt; then fail "a full stop stands apart from its word"; fi

check "a file of questions is read, split, and tested on; a part has a tenth"
for i in $(seq 40); do
  printf 'NUM:date When was person%s born ?\nLOC:city Where is river%s ?\n' "$i" "$i"
done >questions.label
"$classify" --trec questions.label "${small[@]}" --json --out questions >figures.json
grep -qE 'In short: both together are (as good as|better than|worse than) the better of the two' <(plain questions/page.html) || fail "$(plain questions/page.html | head -c 600)"
if grep -qE '<u |verdicts:|several verdicts|counting verdicts' questions/page.html; then fail "a question has verdicts"; fi
grep -q '"documents":8,"trained_on":72' figures.json
printf 'NUM:count How many ☃ are there ?\n\nLOC:other Where ?\n' >test.label
"$classify" --trec questions.label --test test.label "${small[@]}" --json --out questions | grep -q '"documents":2,"trained_on":80'

check "n-grams tell apart what the order of words decides, and the finer labels count towards theirs"
for i in $(seq 40); do
  printf 'A:one now the cow sees the horse%s\nB:two now the horse sees the cow%s\n' "$i" "$i"
  printf 'A:three a cat likes the dog%s\nB:four a dog likes the cat%s\n' "$i" "$i"
done | sed 's/\([0-9]*\)$/ \1/' >order.label
"$classify" --trec order.label "${small[@]}" --json --out order >figures.json
holds "$(figure ngrams figures.json) == 100"

check "folds hold out each document once, and texts that differ in case alone together"
for i in $(seq 30); do  # every fifth pair of one sort has the label of the other
  printf '%s word%s\n%s WORD%s\nB:y thing%s\nB:y Thing%s\n' \
    "$((i % 5)):x" "$i" "$((i % 5)):x" "$i" "$i" "$i"
done | sed 's/^[1-4]:/A:/; s/^0:/B:/' >twice.label
"$classify" --trec twice.label --folds 3 "${small[@]}" >printed.txt 2>told.txt
grep -q 'fold 3 of 3 .*done in' told.txt || fail "$(cat told.txt)"
[ "$(grep -cE '^fold [123] of 3, 40 documents, CPU time ' printed.txt)" -eq 3 ] || fail "$(cat printed.txt)"
grep -qE '^  both together +[0-9.]+ ± [0-9.]+ %$' printed.txt
"$classify" --trec twice.label --folds 3 "${small[@]}" --json >figures.json
grep -q '"documents":120,"folds":3' figures.json
mean=$(sed -nE 's/^fold .* both ([0-9.]+) %$/\1/p' printed.txt | awk '{ sum += $1 } END { print sum / NR }')
holds "($mean - $(figure accuracy figures.json)) ^ 2 < 0.01"

check "the same seed gives the same figures on one thread and on two"
"$classify" "${small[@]}" --json --threads 2 --out a | sed 's/"cpu_seconds":[^,}]*//' >first.json
"$classify" "${small[@]}" --json --threads 1 --out b | sed 's/"cpu_seconds":[^,}]*//' | cmp - first.json
for part in accuracy attention ngrams; do [ -n "$(figure "$part" first.json)" ] || fail "no $part"; done

check "bad input gets an error that names the place"
expect_error "no-such.label" --trec no-such.label
printf 'NUM:date When ?\nNUM:date\n' >cut.label
expect_error "cut.label:2: a line must be a label and words: got \"NUM:date\"" --trec cut.label
: >empty.label
expect_error "empty.label: there must be at least one line" --trec empty.label
expect_error "empty.label: there must be at least one line" --trec questions.label --test empty.label
printf 'HUM:ind Who ?\n' >other.label
expect_error 'other.label:1: a label to test on must occur in training: got "HUM", known are LOC NUM' --trec questions.label --test other.label
grep NUM questions.label >one.label
expect_error "at least two labels" --trec one.label "${small[@]}"
expect_error "--test needs --trec" --test test.label
expect_error "excludes" --trec questions.label --test test.label --folds 5
expect_error "classify: each part must have a document: got 2 different documents for 5 parts" --trec test.label --folds 5

check "a mistake in the command line ends with code 2"
code=0
"$classify" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"
