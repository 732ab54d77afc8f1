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
holds "$(right attention) > 95 && $(right n-grams) > 80"
holds "$(right attention) > $(right n-grams) + 8"  # these do not know what came last
in_words=$(tr '\n' ' ' <printed.txt)
# legible <page>: without what keeps "n-grams" and numbers with their units in one line.
legible() { plain "$1" | sed -E 's/<span class="whole">([nN]-grams)<\/span>/\1/g'; }
grep -q '\.whole{white-space:nowrap}' run/page.html || fail "n-grams may be broken at its hyphen"
if sed -E 's/<span class="whole">[nN]-grams<\/span>//g' run/page.html | grep -i 'n-grams'; then fail "n-grams may be broken at its hyphen"; fi
legible run/page.html >page.html
grep -q 'Trained on 2,000 reviews, each seen 12 times (seed 1), and tested on 500 others: ' <<<"$in_words" || fail "$in_words"
grep -q 'Trained on 2,000 reviews, each seen 12 times (seed 1), and tested on 500 others' page.html || fail "not on the page"
meant='not|tiresome|dull|awful|clumsy|boring|shallow|wonderful|brilliant|moving|clever|charming|superb'
weighty=$(sed -nE 's/.*In ([0-9.]+) % of the reviews with a verdict, attention gives most weight to a word of the last one\..*/\1/p' page.html)
holds "$weighty > 95"
grep -qE '<b style="--weight:0\.9[0-9]*">[a-z]+<small>(0\.9[0-9]|1\.00)</small></b>' page.html || fail "no word is shaded, with its weight beside it"
if grep -qE '<b [^>]*>[a-z]+<small>0\.0' page.html; then fail "a faint word is shaded"; fi
# Each review with what is said of it, in one line.
cards() { sed -n '/<div class="reviews">/,/^<\/div>$/p' page.html | awk '{ printf "%s", $0 } /<\/table><\/div>$/ { print "" }'; }
# said <who> <mark> <label> <weights>: a row of a card.
said() { echo "<tr><th>$1</th><td><span class=\"[a-z]+\">$2</span> $3</td><td>[0-9]+ %</td><td>$4</td></tr>"; }
share='[01]\.[0-9]{2}'
weight="<b style=\"--weight:[01]\.[0-9]{3}\">$share</b> "
grep -qE "<p class=\"label\">[a-z, ]+, ([a-z]+): the last one counts[^<]*</p><table class=\"opinions\">.*$(said attention ✓ '\1' "($weight){2,}")$(said 'without places' ✗ '[a-z]+' "($weight){2,}")$(said n-grams ✗ '[a-z]+' –)</table></div>" <(cards) || fail "no review that attention alone knows: $(cards)"
if grep -qE '(src|href)="(https?:)?//' page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html classify

check "it begins with the task, an example and who is tried at it, under one name each, says what a weight and a word may stand for, and its page shows at most four documents that both know"
head -1 printed.txt | grep -qx 'Which model notices that the last verdict counts?' && sed -n 3p printed.txt | grep -q '^The task: ' && grep -q '  → complaint$' printed.txt || fail "$(cat printed.txt)"
for name in attention 'without places' n-grams 'both together' 'counting verdicts' 'always praise'; do
  [ "$(sed '/^Trained on/q' printed.txt | grep -cE "^  $name  +[a-z]")" -eq 1 ] || fail "nothing says what $name is: $(cat printed.txt)"
  grep -qF "<dt>$name</dt><dd>$(sed -nE "s/^  $name  +([a-z].*)/\1/p" printed.txt | head -1)</dd>" page.html || fail "the page says something else of $name"
done
grep -qE '  attention +adds up words \(with neighbours\), each times its weight ' <<<"$in_words" || fail "$(cat printed.txt)"
scored="Each word is a list of numbers, plus numbers for its place. From all these attention learns to score each word, so a later verdict can score higher; softmax turns a review's scores into weights that sum to 1."
grep -qF " $scored Tried at it:   attention  " <<<"$in_words" && grep -qxF "<p>$scored</p>" page.html || fail "nothing says how a word gets its weight: $in_words"
grep -q 'The weight of a word is its share in the mean by which attention decides\.' page.html || fail "not on the page"
for old in 'no places' 'the same,' 'without  *places  *attention is' 'attention  *alone' 'n-grams  *alone'; do if grep -qE "$old" printed.txt page.html told.txt; then fail "a model has another name: $old"; fi; done
grep -q 'so weight on “not” counts for “not dull”' page.html || fail "not on the page"
if grep -q 'Where no word is shaded' page.html; then fail "the page tells of a case that no review shows"; fi
[ "$(cards | grep -cE '<th>attention</th><td><span class="right">✓</span> .*<th>n-grams</th><td><span class="right">✓</span> ')" -eq 4 ] || fail "not four documents that both know"
[ "$(wc -l <printed.txt)" -le 58 ] || fail "it prints $(wc -l <printed.txt) lines"

check "what is printed of a document is attention's own: its verdict, also where the n-grams differ, and how sure it is"
# below <sort>: its table, and without the empty line between them what each says.
below() { awk -v sort="^$1, on [0-9]+ of 500\\\\. Weights of sentences:$" '$0 ~ sort { on = 1; next } on && /^$/ { if (++gaps == 2) exit; next } on' printed.txt; }
how_many() { sed -nE "s/^(<h3>|<details><summary>)$1, on ([0-9]+) of 500<.*/\2/p" page.html; }
told=$(below 'Attention is right and n-grams are wrong')
sure='+[0-9]+ % sure'
tr '\n' ';' <<<"$told" | grep -qE ";  attention +✓ [a-z]+ $sure;  without places +✗ [a-z]+ $sure;  n-grams +✗ [a-z]+ $sure;\$" || fail "$told"
if [ "$(right attention)" != 100.0 ]; then
  below 'Attention is wrong' | grep -qE "^  attention +✗ [a-z]+ $sure\$" || fail "$(cat printed.txt)"
fi
for sort in 'Attention is right and n-grams are wrong' 'Attention is wrong'; do
  [ "$(grep -c "^$sort, on $(how_many "$sort") of 500\. Weights of sentences:$" printed.txt)" -eq $(($(how_many "$sort") > 0)) ] || fail "terminal and page differ: $sort"
done
# Where n-grams say something else, they give what is right at most a half: the mean of both would be 75 % at most.
sed -nE 's/^  (attention|n-grams) +[✓✗] ([a-z]+) +([0-9]+) % sure$/\2 \3/p' <<<"$told" | xargs | awk '$1 != $3 && $2 > 75 && $4 > 50 { ++n } END { exit n != 1 }' || fail "$told"

check "in short it says which model notices the order, what counting verdicts is worth and why it fails, where chance may part it from the other two, on the page as well, which says what n-grams add"
without=$(right "without places")
holds "$without < $(right attention) - 8"
# may_be_chance <share> <other>: no farther apart than two standard errors of their difference.
may_be_chance() { awk "BEGIN { a = $1; b = $2; d = a > b ? a - b : b - a; exit !(d <= 2 * sqrt((a * (100 - a) + b * (100 - b)) / 500)) }"; }
majority=$(right 'counting verdicts')
holds "$majority > 80 && $majority < 92"
may_be_chance "$majority" "$without" && may_be_chance "$majority" "$(right n-grams)" || fail "the figures do not bear what is looked for below"
more='errs more'
if may_be_chance "$(right 'both together')" "$(right attention)"; then more='does no better'; fi
said=$(grep -c "<p>Averaged with n-grams, attention $more: $(right 'both together') % are right, not $(right attention) %\. " page.html || true)
holds "($(right 'both together') < $(right attention)) == ($said == 1)"
short="In short: only attention with places notices which verdict came last ($(right attention) %). N-grams and attention without places do about as well as counting verdicts ($majority %): two complaints outvote a later praise, one of each is a draw."
grep -qF " $short " <<<"$in_words" || fail "$in_words"
grep -qF "<p class=\"answer\">$short</p>" page.html || fail "not framed on the page"
bars=$(tr '\n' ' ' <page.html | grep -oE '<ol class="bars.*|<ul class="bars.*' | sed 's/<\/[ou]l>.*//')
for each in "$(right attention)" "$without" "$(right n-grams)" "$majority" "$(sed -nE 's/^always praise +([0-9.]+) % .*/\1/p' printed.txt)"; do grep -q "$each" <<<"$bars" || fail "$each has no bar: $bars"; done

# The best first, and in colour what is within chance of it; what always says the same stands apart.
ranked=$(for name in attention 'both together' 'without places' n-grams 'counting verdicts'; do echo "$(right "$name");$name"; done | sort -t ';' -k 1,1rn -s |
  while IFS=';' read -r figure name; do if may_be_chance "$figure" "$(right attention)"; then echo "+$name"; else echo "-$name"; fi; done; echo '-always praise')
[ "$(grep -oE '<li( class="best")?[^>]*><span dir="auto">[a-z -]+' <<<"$(tr '\n' ' ' <page.html | grep -oE '<ol class="bars.*' | sed 's/<\/ol>.*//')" | sed -E 's/<li class.*>/+/; s/<li.*>/-/')" = "$ranked" ] || fail "bars: $bars"
grep -q "Share of 500 reviews that are right; in colour, the best$([ "$(grep -c '^+' <<<"$ranked")" -eq 1 ] || echo ' and all that are within chance of it')<" page.html && grep -q '<dt>counting verdicts</dt><dd>what most verdicts say, without learning; draws count half</dd>' page.html && grep -q '<dt>always praise</dt><dd>the commonest label for all, without learning</dd>' page.html || fail "not said what the bars are"

check "the page begins with the task, its examples, who is tried and the answer, then bars and the folded table, then how words are scored, a shaded review below a key, and reasons; it says what the parameters buy"
awk '/>The task: / { task = NR } /<dt><u class="praise">the story was moving\.<\/u> <u class="complaint last">the cast was dull\.<\/u><\/dt><dd>→ <u class="complaint last">complaint<\/u><\/dd>/ { example = NR } /<p class="answer"/ { answer = NR } /<dt>always praise</ { names = NR } /softmax turns/ { scored = NR } /<ol class="bars/ { bars = NR } /<p class="review key"/ { key = NR } /<p class="review" / && !review { review = NR } />Of several verdicts/ { reasons = NR } /<details>/ { open = 1 } /<\/details>/ { open = 0 } /<table/ && !/<table class="opinions"/ { if (!open) exit 1; table = NR } /<h2/ { sections = sections NR " " }
  END { split(sections, section, " "); exit !(task && task < example && example < names && names < answer && answer < section[1] + 0 && section[1] + 0 < bars && bars < table && table < section[2] + 0 && section[2] + 0 < scored && scored < key && key < review && review < reasons && reasons < section[3] + 0) }' page.html || fail "the page has another order"
parameters() { sed -nE "s/^<tr><td[^>]*>$1<.*data-column=\"parameters\">([0-9,]+)<.*/\1/p" page.html; }
grep -qF "Attention takes $(parameters attention) parameters, n-grams $(parameters n-grams). Those of attention buy $(awk "BEGIN { printf \"%.1f\", $(right attention) - $(right n-grams) }") points more, and only because words are told their places: attention without places has $(parameters 'without places') parameters and does about as well as n-grams." <(sed "s/&#39;/'/g" page.html) || fail "the page does not say what parameters buy"

check "of each example each sentence has a line, with its verdict and its weights, told places or not, which add up, below each other"
grep -qF " A sentence's weight is the sum of its words'. Of several verdicts " <<<"$in_words" && head -1 <<<"$told" | grep -qE '^sentence +verdict +attention +without places$' || fail "$told"
if grep -E '^the [a-z -]+\.  ' printed.txt | grep -vE ' (praise|complaint) ' | grep -q ' 0\.00'; then fail "a sentence without a verdict shows a weight of nothing: $(cat printed.txt)"; fi
grep -E "^the [a-z ]+\." <<<"$told" | awk '{ first += $(NF - 1); second += $NF; verdicts += / (praise|complaint) / } END { exit !(verdicts > 1 && first > 0.97 && first < 1.03 && second > 0.97 && second < 1.03) }' || fail "$told"
[ "$(grep -E "^(the |sentence)" <<<"$told" | LC_ALL=C.UTF-8 sed -E 's/./x/g' | sort -u | wc -l)" -eq 1 ] || fail "what they say does not stand below each other: $told"

check "it says where the weights are with places and without, and that these are spread on average where they are"
read -r last earlier other_last other_earlier alike < <(sed -nE 's/.* Of several verdicts attention gives the last ([0-9.]+), each earlier ([0-9.]+); without places, ([0-9.]+) and ([0-9.]+)(\.|: about evenly, on average\.) .*/\1 \2 \3 \4 \5/p' <<<"$in_words")
holds "$last > 0.8 && $earlier < 0.15 && $other_last < 0.6 && $other_earlier > 0.3"
holds "($other_last - $other_earlier < 0.1 * ($other_last + $other_earlier)) == ($(grep -c evenly <<<"$alike") == 1)"
grep -q "; without places, $other_last and $other_earlier" page.html || fail "not on the page"

check "why attention is wrong is said where its weights are split between verdicts that differ, and nowhere else, on the page as well"
split_by='but attention splits its weight'
wrong=$(sed -n '/<h3>Attention is wrong/,/<h3>Attention and n-grams/p' page.html | awk '{ printf "%s", $0 } /<\/table><\/div>$/ { print "" }' | grep '<p class="review"' | sed -E 's/<\/?b[^>]*>//g' || true)
sed -nE "s/.*<p class=\"label\">([a-z, ]+): the (last one counts|only verdict)(, $split_by)?<.*<th>attention<[^–]*<td>([0-9. ]+)<\/td><\/tr><tr><th>without.*/\1;\4;\3/p" <<<"$wrong" | tr -d , | awk -F ';' '
  { n = split($1, label, " "); split($2, weight, " "); rival = 0; for (i = 1; i < n; ++i) if (!rival || weight[i] > weight[rival]) rival = i
    split_up = n > 1 && label[rival] != label[n] && weight[rival] + weight[n] >= 0.9 && (weight[rival] - weight[n]) ^ 2 <= 0.04
    if (split_up != ($3 != "")) exit 1; ++seen } END { exit seen != '"$(grep -c '<th>weight of each verdict<' <<<"$wrong" || true)"' }' || fail "$wrong"
[ "$(cards | grep -c "$split_by")" -eq "$(grep -c "$split_by" <<<"$wrong")" ] || fail "said of a review that attention knows"

check "an example that only attention knows has its weight on a 'not'; on the page those with a word that stands for itself come first"
grep '^the ' <<<"$told" | awk '$(NF - 1) > most { most = $(NF - 1); heaviest = $0 } END { print heaviest }' | grep -qE "^the [a-z]+ was not ($meant)\. " || fail "$told"
# The heaviest word of each, where a "not" may stand with the word behind it.
tops=$(sed -n '/>Attention is right and n-grams are wrong/,/>Attention is wrong/p' page.html | grep '<p class="review"' |
  while read -r review; do grep -oE '<b style="--weight:[0-9.]+">[a-z]+' <<<"$review" | sed -E 's/.*weight:([0-9.]+)">/\1 /' | sort -rn | head -1; done | cut -d' ' -f2)
[ "$(wc -l <<<"$tops")" -eq 4 ] && grep -q '^not$' <<<"$tops" && [ "$(sed '1,/^not$/d' <<<"$tops" | grep -vc '^not$')" -eq 0 ] || fail "$tops"

check "on the page a review stands once, shaded by attention's weights, each verdict underlined as what it is, the last one thicker, with a key"
clumsy=$(grep -m 1 '<u class="complaint">the camera was clumsy\.</u> <u class="complaint">the ending was dull\.</u> <u class="praise last">the pace was <b [^>]*>moving<small>0\.[0-9]*</small></b>\.</u>' <(cards)) || fail "no verdicts"
grep -qF '.review u{text-decoration:none;border-bottom:1px' page.html || fail "a line below a verdict breaks at a shaded word"
grep -qE '<p class="label">complaint, complaint, praise: the last one counts(; without places it has most weight, but no more than the others together)?</p>' <<<"$clumsy" || fail "$clumsy"
grep -q '<th>says</th><th>sure</th><th>weight of each verdict</th></tr>' <<<"$clumsy" && grep -q "and the weights of the verdicts in their order, each the sum of its words' weights:</p>" <(sed 's/&#39;/'\''/g' page.html) || fail "nothing says what the columns are: $clumsy"
read -r told not_told < <(sed -nE "s/.*<th>attention<.*>($share)<\/b> <\/td><\/tr><tr><th>without places<.*>($share)<\/b> <\/td><\/tr><tr><th>n-grams<.*/\1 \2/p" <<<"$clumsy")
holds "$told > $not_told + 0.2"  # each has its own weights
grep -qF '.opinions :is(th,td):last-child{padding-right:0;white-space:normal;text-align:right}' page.html && grep -qF '.reviews p{text-wrap:wrap}' page.html || fail "a card leaves its right half empty"
grep -qF '.reviews>:only-child{grid-column:1/-1;justify-self:center;width:100%;max-width:45rem}' page.html || fail "a single card does not stand in the column of text"
[ "$(cards | grep -o '<p class="review" .*' | wc -l)" -eq "$(cards | wc -l)" ] && [ "$(cards | sed 's/.*<p class="review"/<p class="review"/' | sort | uniq -d | wc -l)" -eq 0 ] || fail "a review stands there more than once"
grep -q '>1.0</b> weight of a word</span><span><u class="praise">praise</u> <u class="complaint">complaint</u> a verdict</span><span><u class="praise last">praise</u> <u class="complaint last">complaint</u> the last verdict</span></p>' page.html || fail "no key"

check "among the reviews that are shown are a draw and one without a verdict, and columns of all cards stand below each other"
for label in '(complaint, praise|praise, complaint): the last one counts</p>.*<th>n-grams</th><td><span class="wrong">' 'no verdict: neither'; do grep -qE "<p class=\"label\">$label" <(cards) || fail "no $label"; done
grep -qF '.opinions{border:0;background:none;table-layout:fixed' page.html || fail "columns go with their words"

check "the three groups hold all reviews"
[ $(($(how_many 'Attention is right and n-grams are wrong') + $(how_many 'Attention is wrong') + $(how_many 'Attention and n-grams are both right'))) -eq 500 ] || fail "$(cat printed.txt)"

check "a table says how many of each label are right and what the best single answer is worth, within 80 columns"
tr '\n' ';' <printed.txt | grep -qE '; +all +complaint +neither +praise;right +of 500 +of 212 +of 50 +of 238;attention ' || fail "$(cat printed.txt)"
grep -qE '^attention +[0-9.]+ % +100\.0 % +100\.0 % +[0-9.]+ %$' printed.txt || fail "$(cat printed.txt)"
# Counted by hand from the parts: of those without a verdict none is a draw.
grep -E '^counting verdicts +[0-9.]+ % +[0-9.]+ % +100\.0 % +[0-9.]+ %$' printed.txt | awk '{ mean = (212 * $5 + 50 * $7 + 238 * $9) / 500 - $3; exit !(mean ^ 2 < 0.01) }' || fail "$(cat printed.txt)"
grep -qE '^always praise +47\.6 % +0\.0 % +0\.0 % +100\.0 %$' printed.txt || fail "$(cat printed.txt)"
if LC_ALL=C.UTF-8 grep -E '^.{81}' printed.txt | grep -v '^page '; then fail "too wide"; fi

check "a document is printed as one writes"
if grep -q ' [.,]' printed.txt; then fail "a full stop stands apart from its word"; fi

check "a file of questions is read, split, and tested on; a part has a tenth"
for i in $(seq 40); do
  printf 'NUM:date When was person%s born ?\nLOC:city Where is river%s ?\n' "$i" "$i"
done >questions.label
"$classify" --trec questions.label "${small[@]}" --json --out questions >figures.json
"$classify" --trec questions.label "${small[@]}" --out questions >questions.txt 2>/dev/null
grep -qE 'In short: both together are (as good as|better than|worse than) the better of the two' <(plain questions/page.html) || fail "$(head -c 600 questions/page.html)"
grep -qE '^  attention  +adds up .*' questions.txt && grep -qE '^  most weight  ([^ ]+ 0\.[0-9]{2}|no word has)' questions.txt && grep -q 'Where no word is shaded' questions/page.html && grep -qF "numbers for its place. From all these attention learns to score each word; softmax turns a document's scores into" questions/page.html || fail "$(cat questions.txt)"
if grep -qE '<u |verdict|review of|praise' questions/page.html questions.txt; then fail "a question has verdicts"; fi
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
for name in attention n-grams 'both together'; do grep -qE "^  $name +[0-9.]+ ± [0-9.]+ %$" printed.txt || fail "$name: $(cat printed.txt)"; done
"$classify" --trec twice.label --folds 3 "${small[@]}" --json >figures.json
grep -q '"documents":120,"folds":3' figures.json
mean=$(sed -nE 's/^fold .* both together ([0-9.]+) %$/\1/p' printed.txt | awk '{ sum += $1 } END { print sum / NR }')
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

check "a label that is called like a model breaks no tag of the page"
for _ in $(seq 20); do printf 'n-grams:x what is a word\nOTHER:x who is a man\n'; done | awk '{ print $0, NR }' >named.label
"$classify" --trec named.label --models 1 --epochs 1 --out named >/dev/null 2>&1
grep -qE 'aria-label="table: right, [^"<>]*n-grams of [0-9]+' named/page.html || fail "$(grep -oE 'aria-label="table: .{60}' named/page.html)"

check "a mistake in the command line ends with code 2"
code=0
"$classify" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"
