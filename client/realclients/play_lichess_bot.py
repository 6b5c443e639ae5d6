"""Makes the recorded calls of lichess-bot 2026.8.2.1 in their order, with its headers and its time limits.

    python play_lichess_bot.py BASE_URL < accounts.json

accounts.json holds the tokens {"bot", "anna"}: a bot account, and a person who challenges it. The
bot side reads from the answers what lichess-bot reads, and fails where lichess-bot would. Exits
with 1 and says why.
"""

import json
import queue
import sys
import threading
import time

import chess
import requests

VERSION = "2026.8.2.1"
CALL_LIMIT = 2  # seconds, of every call that is no stream
SILENCE_LIMIT = 15  # seconds, of streams


class Wrong(Exception):
    """Something that would make lichess-bot fail."""


def need(what, ok, got=None):
    if not ok:
        raise Wrong("%s: got %r" % (what, got))


class Api:
    """lichess-bot's way to call."""

    def __init__(self, base, token):
        self.base = base if base.endswith("/") else base + "/"
        self.token = token
        self.session = requests.Session()
        self.session.headers.update({"Authorization": "Bearer " + token})
        self.agent("?")

    def agent(self, name):
        self.session.headers.update({"User-Agent": "lichess-bot/%s user:%s" % (VERSION, name)})

    def url(self, path):
        return requests.compat.urljoin(self.base, path)

    def get(self, path, **kw):
        return self._json(self.session.get(self.url(path), timeout=CALL_LIMIT, **kw))

    def post(self, path, status=200, **kw):
        return self._json(self.session.post(self.url(path), timeout=CALL_LIMIT, **kw), status)

    def _json(self, response, status=200):
        took = response.elapsed.total_seconds()
        need("%s within %d s" % (response.url, CALL_LIMIT), took < CALL_LIMIT, took)
        need("status of %s" % response.url, response.status_code == status, (response.status_code, response.text))
        return response.json()

    def lines(self, path):
        """The lines of a stream, blank ones too, as requests cuts them."""
        response = self.session.get(self.url(path), stream=True, timeout=SILENCE_LIMIT)
        need("status of %s" % response.url, response.status_code == 200, response.status_code)
        return response.iter_lines()


def expect(source, what, ok, limit=20):
    """The next line of a queue that is ok; blank lines are ticks."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            line = source.get(timeout=max(0.01, end - time.monotonic()))
        except queue.Empty:
            break
        if isinstance(line, Exception):
            raise Wrong("%s: the stream broke: %s" % (what, line))
        need(what + ": the stream is open", line is not None)
        if line and ok(json.loads(line)):
            return json.loads(line)
    raise Wrong("%s: not within %d s" % (what, limit))


def follow(lines):
    q = queue.Queue()

    def read():
        try:
            for line in lines:
                q.put(line)
        except Exception as e:
            q.put(e)
        q.put(None)

    threading.Thread(target=read, daemon=True).start()
    return q


def log_in(api):
    info = api.post("api/token/test", data=api.token)
    need("token test", info.get(api.token), info)
    need("scope", "bot:play" in info[api.token]["scopes"].split(","), info)
    profile = api.get("api/account")
    need("name", isinstance(profile["username"], str), profile)
    need("title", profile.get("title") == "BOT", profile)
    api.agent(profile["username"])
    for g in api.get("api/account/playing")["nowPlaying"]:
        need("ongoing game", g["gameId"] and g["speed"] and g["opponent"]["username"], g)
    return profile


def read_challenge(event):
    """What lichess-bot takes from a challenge; a missing key ends it."""
    c = event["challenge"]
    for key in ("id", "rated", "speed", "color", "timeControl", "challenger", "destUser", "finalColor"):
        need("challenge." + key, key in c, c)
    need("variant", c["variant"]["key"] == "standard", c)
    need("perf", c["perf"]["name"], c)
    need("time control", isinstance(c["timeControl"], dict), c)
    return c


def read_full(line, profile):
    full = json.loads(line)
    need("first line", full["type"] == "gameFull", full)
    need("variant name", full["variant"]["name"] == "Standard", full)
    need("createdAt", isinstance(full["createdAt"], int), full)
    for side in ("white", "black"):
        need(side, isinstance(full[side], dict), full)
    need("clock in ms", full["clock"] == {"initial": 300000, "increment": 2000}, full)
    need("start", full["initialFen"] == "startpos", full)
    need("is black", full["black"]["name"].lower() == profile["username"].lower(), full)
    return full


def read_state(state):
    for key in ("moves", "status"):
        need("state." + key, isinstance(state[key], str), state)
    for key in ("wtime", "btime", "winc", "binc"):
        need("state." + key, isinstance(state[key], int), state)
    return state


def game(api, anna, profile, events):
    made = anna.post("api/challenge/" + profile["username"], json={
        "rated": False, "variant": "standard", "clock.limit": 300, "clock.increment": 2, "color": "white"})
    event = expect(events, "challenge event", lambda e: e["type"] == "challenge" and e["challenge"]["id"] == made["id"])
    challenge = read_challenge(event)
    api.get("api/account/playing")
    api.post("api/challenge/%s/accept" % challenge["id"])
    start = expect(events, "gameStart", lambda e: e["type"] == "gameStart" and e["game"]["id"] == challenge["id"])
    need("opponent", isinstance(start["game"]["opponent"], dict), start)
    game_id = start["game"]["id"]

    lines = api.lines("api/bot/game/stream/" + game_id)
    full = read_full(next(lines), profile)  # unguarded: a blank line first would end the program
    stream = follow(lines)
    board = chess.Board()
    read_state(full["state"])
    moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
    for i, move in enumerate(moves):
        if i % 2 == 0:
            anna.post("api/board/game/%s/move/%s" % (game_id, move))
        else:
            if i == 1:  # greetings at the first turn, which must not fail
                for room in ("player", "spectator"):
                    api.post("api/bot/game/%s/chat" % game_id, data={"room": room, "text": "hi " + room})
            api.post("api/bot/game/%s/move/%s" % (game_id, move), params={"offeringDraw": "false"})
        board.push_uci(move)
        state = expect(stream, "state after " + move,
                       lambda e: e["type"] == "gameState" and len(e["moves"].split()) == board.ply())
        read_state(state)
        need("over only at the mate", (state["status"] == "started") == (i < 3), state)
    need("mate", board.is_checkmate() and state["status"] == "mate" and state["winner"] == "black", state)
    for room in ("player", "spectator"):  # goodbyes go into a game that is over
        api.post("api/bot/game/%s/chat" % game_id, data={"room": room, "text": "bye " + room})
    while True:  # the server must close the stream, or the bot would sit in the game
        line = stream.get(timeout=5)
        if line is None:
            break
        need("clean end", not isinstance(line, Exception), line)
    expect(events, "gameFinish", lambda e: e["type"] == "gameFinish" and e["game"]["id"] == game_id)
    playing = [g["gameId"] for g in api.get("api/account/playing")["nowPlaying"]]
    need("gone from the list", game_id not in playing, playing)
    pgn = api.session.get(api.url("game/export/" + game_id), timeout=CALL_LIMIT)
    need("PGN for any type", pgn.status_code == 200 and pgn.headers["Content-Type"].startswith("application/x-chess-pgn"), pgn.headers)
    # A late repetition of a move that was played must be refused, not played again.
    again = api.session.post(api.url("api/bot/game/%s/move/d8h4?offeringDraw=false" % game_id), timeout=CALL_LIMIT)
    need("the repeated move", again.status_code == 400 and "error" in again.json(), again.text)


def others(api, anna, profile, events):
    anna_name = anna.get("api/account")["username"]
    made = anna.post("api/challenge/" + profile["username"], json={"rated": False, "days": 2})
    expect(events, "challenge event", lambda e: e["type"] == "challenge" and e["challenge"]["id"] == made["id"])
    api.post("api/challenge/%s/decline" % made["id"], data={"reason": "timeControl"})
    declined = expect(events, "declined", lambda e: e["type"] == "challengeDeclined")["challenge"]
    need("decline fields", declined["declineReason"] and declined["declineReasonKey"] == "timecontrol", declined)

    # Matchmaking.
    api.get("api/account")
    bots = api.session.get(api.url("api/bot/online"), params={"nb": 512}, timeout=CALL_LIMIT)
    found = [json.loads(line) for line in bots.text.strip().split("\n") if line]
    need("bots online", any(b["username"] == profile["username"] and b["perfs"]["blitz"]["rating"] for b in found), bots.text)
    need("public data", api.get("api/user/" + anna_name)["perfs"], anna_name)
    made = api.post("api/challenge/" + anna_name, json={"rated": False, "variant": "standard", "clock.limit": 180, "clock.increment": 2})
    need("challenge id at the top", len(made["id"]) == 8, made)
    api.post("api/challenge/%s/cancel" % made["id"])
    expect(events, "canceled", lambda e: e["type"] == "challengeCanceled" and e["challenge"]["id"] == made["id"])
    refusal = api.session.post(api.url("api/challenge/nobody-here"), json={"rated": False}, timeout=CALL_LIMIT)
    need("JSON refusal", refusal.status_code == 400 and "error" in refusal.json(), refusal.text)

    # The hourly check.
    need("online", api.get("api/users/status", params={"ids": profile["id"]})[0]["online"] is True)


def ticks(events):
    """Blank lines are lichess-bot's clock: one must come well within its 15 s."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            line = events.get(timeout=max(0.01, end - time.monotonic()))
        except queue.Empty:
            break
        if line == b"":
            return
    raise Wrong("no blank line on the event stream within 10 s")


def main():
    base, tokens = sys.argv[1], json.load(sys.stdin)
    api, anna = Api(base, tokens["bot"]), Api(base, tokens["anna"])
    try:
        profile = log_in(api)
        events = follow(api.lines("api/stream/event"))
        game(api, anna, profile, events)
        others(api, anna, profile, events)
        ticks(events)
    except (Wrong, KeyError, ValueError, requests.RequestException) as e:
        sys.exit("%s: %s" % (type(e).__name__, e))
    print("ok")


if __name__ == "__main__":
    main()
