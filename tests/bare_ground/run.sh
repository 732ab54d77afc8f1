#!/usr/bin/env bash
# The README's commands on a machine that is really new, a bare Debian made for it: tests/bare_ground/run.sh [12|13] [first], where
# `first` leaves out ./run install and ./run test. Ends with 77 where it cannot be made. Each check is a sentence; the first that
# fails ends the test.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=bare_debian.sh
. "$checkout/tests/bare_ground/bare_debian.sh"
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$checkout/tests/support/checks.sh"
version=${1:-12}
started=$SECONDS

# gradual <command...>: in the checkout, as root; what it says is shown, kept in said.txt, and no line of apt may have failed.
gradual() {
  local start=$SECONDS
  in_debian env --chdir /gradual "$@" 2>&1 </dev/null | tee "$work/said.txt" ||
    fail "$* ended with an error"
  echo "($((SECONDS - start)) s)"
  if grep -E '^(E:|W: Failed|run: pip could not)' "$work/said.txt"; then fail "a line of apt or pip failed"; fi
}
said() { grep -qE -- "$1" "$work/said.txt" || fail "nothing like \"$1\" was said"; }

check "a bare Debian $version is made"
make_bare_debian "$version"
copy_checkout /gradual
echo "($((SECONDS - started)) s)"

check "a user without rights gets a message with all packages"
copy_checkout /home/1000/gradual
in_debian chown -R 1000:1000 /home/1000
if in_debian --as 1000 /home/1000/gradual/run translate >"$work/said.txt" 2>&1; then fail "no error"; fi
said 'takes root or sudo'
said '^  apt-get install g\+\+ cmake ninja-build libxtensor-dev libopenblas-dev nlohmann-json3-dev libutf8proc-dev libcli11-dev$'
said '^  conda env create -f /home/1000/gradual/environment.yml'

check "a checkout that cannot be written is named"
for command in translate test install site; do
  if in_debian --as 1000 /gradual/run $command >"$work/said.txt" 2>&1; then fail "no error from $command"; fi
  said '^run: /gradual/build cannot be written'
done

check "./run translate installs what is missing, trains, and leaves model, log and page"
gradual ./run translate
said '^trained in'
said '^held-out +(9[0-9]|100)'
for file in model.safetensors page.html log.jsonl; do
  [ -s "$debian/gradual/out/toy/$file" ] || fail "there is no out/toy/$file: $(ls "$debian/gradual/out/toy")"
done

check "nothing is left out: subwords, a history, a page"
gradual ./run translate train --units subwords --subwords 150 --steps 3 --width 16 --out out/subwords
gradual bash -c 'echo "The cat sleeps." | ./run translate translate --model out/subwords/model.safetensors'
in_debian ldd /gradual/build/release/bin/translate >"$work/said.txt"
said libedit
said libmicrohttpd
said libsentencepiece

check "the page answers by HTTP"
in_debian env --chdir /gradual build/release/bin/translate serve --port 0 --model out/toy/model.safetensors \
  >"$work/served.txt" 2>&1 &
for _ in $(seq 600); do ! grep -q 'http://' "$work/served.txt" || break; sleep 0.1; done
port=$(grep -oE 'http://[^ ]*:[0-9]+' "$work/served.txt" | grep -oE '[0-9]+$') || fail "$(cat "$work/served.txt")"
exec 3<>"/dev/tcp/127.0.0.1/$port"
body='{"sentence": "The small cat sleeps."}'
printf 'POST /translate HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
  "$port" "${#body}" "$body" >&3
timeout 60 cat <&3 >"$work/said.txt"
exec 3>&-
end_all_in_debian
said 'HTTP/1.1 200 OK'
said '"translation":"Le petit chat dort\."'

check "a line typed earlier comes back at the prompt by a key"
# appears <count> <text>: on the terminal, within a minute.
appears() {
  for _ in $(seq 600); do
    [ "$(grep -c -- "$2" "$work/said.txt")" -lt "$1" ] || { sleep 1 && return; }  # until the prompt listens again
    sleep 0.1
  done
  fail "$(cat "$work/said.txt")"
}
mkfifo "$work/keys"
in_debian env --chdir /gradual script --quiet --return --command \
  'build/release/bin/translate translate --model out/toy/model.safetensors' /dev/null <"$work/keys" >"$work/said.txt" &
exec 4>"$work/keys"
appears 1 '>'
printf 'The cat sleeps.\r' >&4
appears 1 'chat dort'
printf '\033[A\r' >&4
appears 2 'chat dort'
printf '\004' >&4
exec 4>&-
wait

if [ "${2:-}" = first ]; then
  echo "Debian $version: the first command's checks passed ($((SECONDS - started)) s)"
  exit
fi

check "./run install installs the rest"
gradual ./run install

check "./run test passes, and so do the test programs with OpenBLAS's kernels for other processors"
gradual ./run test
if grep -q 'Not tested' "$work/said.txt"; then fail "after ./run install something is still missing"; fi
said '^100% tests passed'
said 'a person types at the prompt, in any locale and script \.+ +Passed'
said 'the server answers, and refuses what it should \.+ +Passed'
gradual tests/platforms/run.sh --strict kernels

echo "Debian $version: all checks passed ($((SECONDS - started)) s)"
