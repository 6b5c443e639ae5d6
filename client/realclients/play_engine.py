"""Lends an engine to an account as Lichess's providers do, and asks it with unmodified berserk.

    python play_engine.py BASE_URL < accounts.json

accounts.json holds the token {"anna"}. berserk's own calls that register an engine raise before they send
anything, so those are plain requests. Exits with 1 and says why at the first answer that is not as it should be.
"""

import json
import sys
import threading

import berserk
import requests

SECRET = "a secret of sixteen or more"
FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WAIT = 30


class Wrong(Exception):
    """An answer that is not as it should be."""


def check(what, got, want):
    if got != want:
        raise Wrong("%s: got %r, want %r" % (what, got, want))


def say():
    """What the engine says, as it comes."""
    yield b"info depth 1 multipv 1 score cp 13 nodes 20 time 0 pv e7e5\n"
    yield b"info depth 2 multipv 1 score cp -40 nodes 99 time 1 pv c7c5 g1f3\n"
    yield b"bestmove c7c5\n"


def provide(url, failures):
    """Takes one piece of work and answers it."""
    try:
        while True:
            answer = requests.post(url + "/api/external-engine/work", json={"providerSecret": SECRET}, timeout=WAIT)
            answer.raise_for_status()
            if answer.status_code != 204:
                break
        job = answer.json()
        check("the work", job["work"]["moves"], ["e2e4"])
        check("its engine", job["engine"]["name"], "Fish")
        requests.post(url + "/api/external-engine/work/" + job["id"], data=say(), timeout=WAIT).raise_for_status()
    except Exception as e:
        failures.append(e)


def main():
    url, tokens = sys.argv[1], json.load(sys.stdin)
    head = {"Authorization": "Bearer " + tokens["anna"]}
    client = berserk.Client(session=berserk.TokenSession(tokens["anna"]), base_url=url)
    form = {
        "name": "Fish", "maxThreads": 8, "maxHash": 2048, "defaultDepth": 25, "variants": ["chess"],
        "providerSecret": SECRET, "providerData": None,
    }
    made = requests.post(url + "/api/external-engine", json=form, headers=head, timeout=WAIT)
    made.raise_for_status()
    engine = made.json()
    check("the list", client.external_engine.get(), [engine])
    form["maxHash"] = 16
    changed = requests.put(url + "/api/external-engine/" + engine["id"], json=form, headers=head, timeout=WAIT)
    changed.raise_for_status()
    engine["maxHash"] = 16
    check("the engine", client.external_engine.get_by_id(engine["id"]), engine)

    failures = []
    provider = threading.Thread(target=provide, args=(url, failures))
    provider.start()
    ask = {
        "clientSecret": engine["clientSecret"],
        "work": {
            "sessionId": "abc", "threads": 4, "hash": 128, "multiPv": 1, "variant": "chess", "initialFen": FEN,
            "moves": ["e2e4"], "depth": 2,
        },
    }
    stream = requests.post(url + "/api/external-engine/%s/analyse" % engine["id"], json=ask, stream=True, timeout=WAIT)
    stream.raise_for_status()
    found = [json.loads(line) for line in stream.iter_lines() if line]
    provider.join(WAIT)
    if failures:
        raise failures[0]
    check("what was found at last", found[-1], {
        "time": 1, "depth": 2, "nodes": 99, "pvs": [{"depth": 2, "cp": 40, "moves": ["c7c5", "g1f3"]}],
    })

    client.external_engine.delete(engine["id"])
    check("the list at the end", client.external_engine.get(), [])
    print("ok")


if __name__ == "__main__":
    try:
        main()
    except Wrong as e:
        sys.exit(str(e))
