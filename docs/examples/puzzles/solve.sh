#!/usr/bin/env bash
# A puzzle client in curl: fetches a Spartan mate, shows the position, and tries moves until the server says that it is
# solved. Needs curl and jq. Nobody has to sign in; with TOKEN set, the attempt is rated.
#
#   docs/examples/puzzles/solve.sh [URL] [GAME]
set -euo pipefail

url=${1:-http://127.0.0.1:8080}
game=${2:-spartan}
auth=()
[ -z "${TOKEN:-}" ] || auth=(-H "Authorization: Bearer $TOKEN")

puzzle=$(curl --silent --show-error --fail-with-body "${auth[@]}" "$url/api/puzzle/next?angle=$game")
id=$(jq -r .puzzle.id <<<"$puzzle")
jq -r '.puzzle | "Puzzle \(.id), rated \(.rating), \(.themes | join(" "))\n\(.fen)"' <<<"$puzzle"

moves=()
while read -r -p "Your move (such as e2e4, empty to see the solution): " move; do
  if [ -z "$move" ]; then
    jq -r '.puzzle.solution | join(" ")' <<<"$puzzle"
    break
  fi
  verdict=$(jq -n '{moves: $ARGS.positional}' --args "${moves[@]}" "$move" |
    curl --silent --show-error "${auth[@]}" "$url/api/puzzle/$id/solve" -H "Content-Type: application/json" -d @-)
  if jq -e .error >/dev/null <<<"$verdict"; then
    jq -r .error <<<"$verdict"
  elif jq -e '.done and .win' >/dev/null <<<"$verdict"; then
    echo "Solved."
    break
  elif jq -e .win >/dev/null <<<"$verdict"; then
    moves+=("$move")
    echo "Right. The answer is $(jq -r .reply <<<"$verdict")."
  elif jq -e .longer >/dev/null <<<"$verdict"; then
    echo "That mates too, but later. Try again."
  else
    echo "Not the move. Try again."
  fi
done
