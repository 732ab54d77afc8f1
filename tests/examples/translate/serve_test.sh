#!/usr/bin/env bash
# `translate serve` as a program and a stranger use it: serve_test.sh <translate> <empty folder to work in>. Ends with 77 where
# there is no curl. Each check is a sentence; the first that fails ends the test.
set -euo pipefail

translate=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
attack=$(cd "$(dirname "$0")" && pwd)/serve_attack.py
work_in "$2"

if ! command -v curl >/dev/null; then
  echo "skipped: the server is asked with curl"
  exit 77
fi
"$translate" data --out corpus.tsv >/dev/null
head -400 corpus.tsv >small.tsv
"$translate" train --tsv small.tsv --held-out 20 --steps 6 --batch-tokens 256 --width 16 --feed-forward 32 --heads 2 \
  --encoder-layers 1 --decoder-layers 1 --out run >/dev/null 2>&1

# start <options…>: a server on a free port; sets $url.
start() {
  : >served.txt
  "$translate" serve --model run/model.safetensors --port 0 "$@" >>served.txt 2>&1 &
  server=$!
  trap 'kill "$server" 2>/dev/null || true' EXIT
  for _ in $(seq 300); do ! grep -q 'http://' served.txt || break; sleep 0.1; done
  url=$(grep -o 'http://[^ ]*' served.txt || true)
}
# ask <body> <curl options…>: posts JSON; the answer goes to answer.txt, the status to standard output.
ask() {
  local body=$1
  shift
  printf '%s' "$body" | curl -s -m 60 -o answer.txt -w '%{http_code}' -H "Content-Type: ${type:-application/json}" --data-binary @- "$@" "${url}translate"
}
# refused <status> <part of the message> <body> <curl options…>
refused() {
  local status=$1 message=$2
  shift 2
  local got
  got=$(ask "$@")
  [ "$got" = "$status" ] || fail "status $got, not $status: $(cat answer.txt)"
  { grep -q '^{"error":"' answer.txt && grep -qF -- "$message" answer.txt; } || fail "expected \"$message\"; got: $(cat answer.txt)"
}

start

check "a sentence gets a translation, the best that were found, and for each word rivals and attention"
[ "$(ask '{"sentence": "The cat sleeps.", "beam": 3}')" = 200 ]
for part in '"translation":"' '"n_best":[{' '"score":-' '"rivals":[{"word":"' '"attention":[' '"source_words":["The","cat","sleeps",".","⏎"]'; do
  grep -qF -- "$part" answer.txt || fail "no $part in $(cat answer.txt)"
done
if grep -q '"html"' answer.txt; then fail "there is HTML that nobody asked for"; fi

check "the page says how large the model is and what it was trained on, and no path"
curl -s -m 60 "$url" >page.html  # not into grep -q, which may end before curl has written all
grep -qE 'A model of [0-9]+,[0-9]{3} parameters, for pairs like “.+” → “.+”' page.html || fail "$(head -c 500 page.html)"
if grep -q 'model.safetensors' page.html; then fail "the page tells a path of the server"; fi

check "it searches as the prompt does and says so, unless another beam is asked for"
grep -q 'selected>greedy, as at the prompt<' page.html || fail "$(grep -o '<select.*</select>' page.html)"
kill "$server"
start --beam 3
curl -s -m 60 "$url" >page.html
grep -q 'selected>beam of 3<' page.html || fail "$(grep -o '<select.*</select>' page.html)"
kill "$server"
start

check "beam 1 translates as the command line does, and so does a beam"
for beam in 1 5; do
  ask "{\"sentence\": \"The cat sleeps.\", \"beam\": $beam}" >/dev/null
  expected=$(echo 'The cat sleeps.' | "$translate" translate --model run/model.safetensors --beam $beam)
  grep -qF -- "\"translation\":\"$expected\"" answer.txt || fail "$expected is not in $(cat answer.txt)"
done

check "text is escaped where it becomes HTML"
ask '{"sentence": "The <script>alert(1)</script> cat & \"dog\".", "html": true}' >/dev/null
sed 's/.*"html"://' answer.txt >html.txt
grep -q '&lt;' html.txt
grep -q '&quot;' html.txt
if grep -q '<script' html.txt; then fail "there is a script in the HTML"; fi

check "the page may run its own scripts alone, and nobody may frame it"
curl -s -m 60 -D headers.txt -o page.html "$url"
nonce=$(sed -n "s/.*script-src 'nonce-\([0-9a-f]*\)'.*/\1/p" headers.txt)
[ ${#nonce} -eq 32 ]
[ "$(grep -c '<script' page.html)" -eq "$(grep -c "<script nonce=\"$nonce\">" page.html)" ]
grep -q "frame-ancestors 'none'" headers.txt
curl -s -m 60 -D headers_again.txt -o /dev/null "$url"
if grep -q "$nonce" headers_again.txt; then fail "the same nonce twice"; fi

check "bad requests are refused with a reason"
refused 400 "it must be a JSON object" 'The cat sleeps.'
refused 400 "it must be a JSON object" '["The cat sleeps."]'
refused 400 "it must be a JSON object" "$(printf '{"sentence": "\xff\xfe"}')"
refused 400 "it must be a JSON object" "$(printf '[%.0s' $(seq 10000))"
refused 400 "must have something to translate" '{}'
refused 400 "must have something to translate" '{"sentence": " \n\t "}'
refused 400 '\"sentence\" must be a text' '{"sentence": 5}'
refused 400 '\"beam\" must be a whole number' '{"sentence": "cat", "beam": "wide"}'
refused 400 '\"beam\" must lie in 1 … 10: it is 1000000' '{"sentence": "cat", "beam": 1000000}'
refused 400 "at most 1000 characters: it has 1500" "{\"sentence\": \"$(printf 'a%.0s' $(seq 1500))\"}"
type=text/plain refused 415 "application/json" '{"sentence": "cat"}'

check "a request that is too long is refused, however it comes"
printf '{"sentence": "%s"}' "$(printf 'word %.0s' $(seq 10000))" >long.json
gzip -k long.json
refused 413 "at most 16384 bytes" "$(cat long.json)"
refused 411 "must say how long it is" "$(cat long.json)" -H 'Transfer-Encoding: chunked'
got=$(curl -s -m 60 -o answer.txt -w '%{http_code}' -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' --data-binary @long.json.gz "${url}translate")
[ "$got" = 415 ] || fail "status $got"
address=${url#http://}
exec 3<>"/dev/tcp/${address%:*}/$(tr -d / <<<"${address#*:}")"
{ printf 'GET / HTTP/1.1\r\nHost: localhost\r\n'; yes $'X: 01234567890123456789012345678901234567890123456789\r' | head -c 10000000; } >&3 2>/dev/null &
got=$(head -1 <&3)
exec 3>&-
[[ "$got" == "HTTP/1.1 431"* ]] || fail "10 MB of headers: $got"

check "pages elsewhere get nothing, whatever name they give this machine"
refused 403 "its own address alone" '{"sentence": "cat"}' -H 'Host: example.org'
refused 403 "its own address alone" '{"sentence": "cat"}' -H 'Host: 127.0.0.1.example.org'
got=$(ask '{"sentence": "cat"}' -H 'Host:')
[[ $got == 40[03] ]] || fail "no host: status $got"  # libmicrohttpd 1 refuses it before we do
refused 403 "its own address alone" '{"sentence": "cat"}' -H 'Origin: http://example.org'
[ "$(curl -s -m 60 -o /dev/null -w '%{http_code}' -H 'Host: example.org' "$url")" = 403 ]
[ "$(curl -s -m 60 -o /dev/null -w '%{http_code}' -H 'Host: LocalHost:99' "$url")" = 200 ]
[ "$(curl -s -m 60 -o /dev/null -w '%{http_code}' -H 'Host: [::1]:99' "$url")" = 200 ]
if grep -qi 'access-control' headers.txt; then fail "other sites are let in"; fi

check "there is nothing else there"
for path in nothing ../run/model.safetensors %2e%2e/small.tsv; do
  [ "$(curl -s -m 60 --path-as-is -o answer.txt -w '%{http_code}' "$url$path")" = 404 ]
done

check "many at once are all answered"
for i in $(seq 12); do
  curl -s -m 120 -o "answer_$i.txt" -H 'Content-Type: application/json' -d '{"sentence": "A dog runs."}' "${url}translate" &
  askers+=($!)
done
wait "${askers[@]}"
for i in $(seq 2 12); do cmp answer_1.txt "answer_$i.txt"; done
grep -q '"translation"' answer_1.txt

check "slow clients and a long question keep nobody waiting, and no answer is lost or wrong"
if command -v python3 >/dev/null; then
  python3 "$attack" flood "$url" 300 20 50
fi

check "a port that is taken and an address that is not here are errors"
port=${url%/}
port=${port##*:}
# cannot_serve <part of the message> <options…>
cannot_serve() {
  local message=$1
  shift
  if "$translate" serve "$@" >out.txt 2>err.txt; then fail "no error with $*"; fi
  grep -qF -- "$message" err.txt || fail "expected \"$message\"; got: $(cat err.txt)"
}
cannot_serve "port $port cannot be used: Address already in use" --model run/model.safetensors --port "$port"
cannot_serve "no such address" --model run/model.safetensors --host no-such-name.invalid
cannot_serve "no-such-model" --model no-such-model

check "Ctrl-C ends it, and so do SIGTERM and the end of the terminal, within a second, while it translates and slow clients drip"
for signal in INT TERM HUP; do
  dripping=
  if command -v python3 >/dev/null; then
    python3 "$attack" drip "$url" &
    dripping=$!
  fi
  long=$(printf 'the cat sleeps and %.0s' $(seq 50))
  for _ in 1 2 3; do ask "{\"sentence\": \"$long\", \"beam\": 10, \"html\": true}" >/dev/null 2>&1 & done
  sleep 0.5
  before=$(date +%s%N)
  "$translate" --help >/dev/null
  allowed=$((1000 + ($(date +%s%N) - before) / 50000))  # milliseconds: the machine may be busy, and that shows
  kill -"$signal" "$server"
  before=$(date +%s%N)
  code=0
  wait "$server" || code=$?
  milliseconds=$((($(date +%s%N) - before) / 1000000))
  [ "$code" -eq 0 ] || fail "it ended with $code on SIG$signal"
  echo "it ended after $milliseconds ms on SIG$signal"
  [ "$milliseconds" -le "$allowed" ] || fail "more than $allowed ms"
  if curl -s -m 5 -o /dev/null "$url"; then fail "it still answers"; fi
  [ -z "$dripping" ] || kill "$dripping"
  wait
  [ "$signal" = HUP ] || start
done
echo "all checks passed"
