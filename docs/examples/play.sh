#!/usr/bin/env bash
# Two people sign up and play a short game of Spartan chess to mate; then one of them starts a game against the server's
# engine with one call. Needs curl and jq, and a running server (make run).
#
#   docs/examples/play.sh [URL]
set -euo pipefail

url=${1:-http://127.0.0.1:8080}
run=$(date +%s) # so that the script can run again on the same server

# call TOKEN METHOD PATH [curl arguments]: prints the answer, stops on an error.
call() {
  local token=$1 method=$2 path=$3
  shift 3
  curl --silent --show-error --fail-with-body -X "$method" -H "Authorization: Bearer $token" "$url$path" "$@"
}
sign_up() {
  curl --silent --show-error --fail-with-body "$url/api/signup" -d username="$1" -d password="a-long-password-$run" | jq -r .token
}

persian=Persian-$run
spartan=Spartan-$run
white=$(sign_up "$persian")
black=$(sign_up "$spartan")
echo "$persian and $spartan have signed up."

game=$(call "$white" POST "/api/challenge/$spartan" \
  -d variant=spartan -d color=white -d clock.limit=300 -d clock.increment=3 -d rated=true | jq -r .id)
call "$black" POST "/api/challenge/$game/accept" >/dev/null
echo "They play $url/$game"

# The warlord of the Spartans reaches h4 in two moves, and nothing stands between it and the king.
call "$white" POST "/api/board/game/$game/move/f2f3" >/dev/null
call "$black" POST "/api/board/game/$game/move/g8f6" >/dev/null
call "$white" POST "/api/board/game/$game/move/g2g4" >/dev/null
call "$black" POST "/api/board/game/$game/move/f6h4" >/dev/null

curl --silent "$url/game/export/$game?clocks=false"
result=$(curl --silent -H 'Accept: application/json' "$url/game/export/$game" | jq -r '"\(.status) \(.winner)"')
echo "Status and winner: $result"
[ "$result" = "mate black" ]

ai=$(call "$white" POST /api/challenge/ai -d level=1 -d variant=spartan -d color=white -d clock.limit=300 -d clock.increment=3 | jq -r .id)
call "$white" POST "/api/board/game/$ai/move/e2e4" >/dev/null
echo "The engine's answer to e2e4 in $url/$ai:"
for _ in $(seq 50); do
  moves=$(call "$white" GET /api/account/playing | jq -r --arg id "$ai" '.nowPlaying[] | select(.gameId == $id and .isMyTurn) | .lastMove')
  [ -z "$moves" ] || break
  sleep 0.2
done
echo "${moves:?the engine did not answer}"
