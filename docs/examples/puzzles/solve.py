#!/usr/bin/env python3
"""A puzzle client in Python: fetches a mate, and lets the server judge each move that is typed.

    python3 docs/examples/puzzles/solve.py [URL] [GAME]

Only the standard library is needed. Nobody has to sign in; with TOKEN set, the attempt is rated.
"""

import json
import os
import sys
import urllib.error
import urllib.request

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
GAME = sys.argv[2] if len(sys.argv) > 2 else "spartan"


def call(path, body=None):
    """Returns the answer of the API, errors included, as an object."""
    request = urllib.request.Request(URL + path, data=json.dumps(body).encode() if body else None)
    request.add_header("Content-Type", "application/json")
    if token := os.environ.get("TOKEN"):
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        return json.load(refused)


puzzle = call(f"/api/puzzle/next?angle={GAME}")["puzzle"]
print(f"Puzzle {puzzle['id']}, rated {puzzle['rating']}, {' '.join(puzzle['themes'])}")
print(puzzle["fen"])

played = []
for line in sys.stdin:
    move = line.strip()
    if not move:
        print(" ".join(puzzle["solution"]))
        break
    verdict = call(f"/api/puzzle/{puzzle['id']}/solve", {"moves": [*played, move]})
    if "error" in verdict:
        print(verdict["error"])
    elif verdict["win"] and verdict["done"]:
        print("Solved.")
        break
    elif verdict["win"]:
        played.append(move)
        print(f"Right. The answer is {verdict['reply']}.")
    elif verdict.get("longer"):
        print("That mates too, but later. Try again.")
    else:
        print("Not the move. Try again.")
