"""Drives a server with unmodified berserk: games from challenge to end, and every read call.

    python play_berserk.py BASE_URL < accounts.json

accounts.json holds the tokens {"anna", "bea", "bot", "fresh"}: two people, a bot account and one
that may become a bot. Exits with 1 and says why at the first answer that is not as it should be.
"""

import datetime
import io
import json
import queue
import sys
import threading

import berserk
import chess.pgn

WAIT = 20  # seconds for something that others do


class Wrong(Exception):
    """An answer that is not as it should be."""


def check(what, got, want):
    if got != want:
        raise Wrong("%s: got %r, want %r" % (what, got, want))


def need(what, ok, got=None):
    if not ok:
        raise Wrong("%s: got %r" % (what, got))


def refused(what, status, call):
    """The call must be refused with this status and a JSON error."""
    try:
        call()
    except berserk.exceptions.ResponseError as e:
        check(what, e.status_code, status)
        need(what + ": a JSON error", isinstance(e.cause, dict) and "error" in e.cause, e.cause)
        return
    raise Wrong("%s was not refused" % what)


class Reader(threading.Thread):
    """Reads a stream of berserk and hands its events on."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.events, self.failure = stream, queue.Queue(), None
        self.start()

    def run(self):
        try:
            for event in self.stream:
                self.events.put(event)
        except Exception as e:
            self.failure = e
        self.events.put(None)

    def next(self, what, ok):
        """The next event that is ok; those before it are dropped."""
        while True:
            try:
                event = self.events.get(timeout=WAIT)
            except queue.Empty:
                raise Wrong("%s: nothing within %d s" % (what, WAIT)) from None
            if event is None:
                raise Wrong("%s: the stream ended (%s)" % (what, self.failure))
            if ok(event):
                return event

    def end(self, what):
        """The stream must end in order."""
        while True:
            try:
                event = self.events.get(timeout=WAIT)
            except queue.Empty:
                raise Wrong("%s: the stream stays open" % what) from None
            if event is None:
                need(what + ": ends in order", self.failure is None, self.failure)
                return


class Player:
    def __init__(self, base, token):
        self.token = token
        self.c = berserk.Client(session=berserk.TokenSession(token), base_url=base)
        me = self.c.account.get()
        self.name, self.id, self.is_bot = me["username"], me["id"], me.get("title") == "BOT"
        self.api = self.c.bots if self.is_bot else self.c.board

    def events(self):
        self.inbox = Reader(self.api.stream_incoming_events())
        return self

    def game(self, game_id):
        return Reader(self.api.stream_game_state(game_id))


def kind(name, **fields):
    return lambda e: e.get("type") == name and all(e.get(k) == v for k, v in fields.items())


def begin(challenger, target, **terms):
    """Challenges and accepts; returns the game's id and both streams, whose first line was seen."""
    made = challenger.c.challenges.create(target.name, False, **terms)
    game_id = made["id"]
    check("status of a new challenge", made["status"], "created")
    need("url", made["url"].endswith(game_id), made["url"])
    got = target.inbox.next("challenge event", lambda e: e["type"] == "challenge" and e["challenge"]["id"] == game_id)
    need("challenge in the list", game_id in [c["id"] for c in target.c.challenges.get_mine()["in"]])
    need("final colour", got["challenge"]["finalColor"] in ("white", "black"), got)
    (target.c.bots.accept_challenge if target.is_bot else target.c.challenges.accept)(game_id)
    for p in (challenger, target):
        p.inbox.next("gameStart of " + p.name, lambda e: e["type"] == "gameStart" and e["game"]["gameId"] == game_id)
    streams = []
    for p in (challenger, target):
        s = p.game(game_id)
        full = s.next("gameFull", lambda e: True)
        check("first line", full["type"], "gameFull")
        check("id", full["id"], game_id)
        need("createdAt", isinstance(full["createdAt"], datetime.datetime), full["createdAt"])
        streams.append(s)
    return game_id, streams


def play(game_id, streams, players, moves, before=0):
    """Plays the moves in turn, after so many others; both streams must report each of them."""
    for i, move in enumerate(moves):
        players[i % 2].api.make_move(game_id, move)
        for s in streams:
            s.next("state after " + move, lambda e: kind("gameState")(e) and len(e["moves"].split()) == before + i + 1)


def scholars_mate(anna, bot):
    """A person against a bot: chat, moves, mate; then everything that can be read about the game."""
    game_id, streams = begin(anna, bot, clock_limit=600, clock_increment=5, color="white")
    anna.c.board.post_message(game_id, "Good luck ♞, have fun")
    bot.c.bots.post_message(game_id, "Thank you")
    bot.c.bots.post_message(game_id, "Hello spectators", spectator=True)
    streams[1].next("chat", kind("chatLine", text="Good luck ♞, have fun", username=anna.name, room="player"))
    streams[0].next("chat", kind("chatLine", text="Thank you", username=bot.name))
    check("chat so far", [m["text"] for m in anna.c.board.get_game_chat(game_id)], ["Good luck ♞, have fun", "Thank you"])
    refused("a move out of turn", 400, lambda: bot.c.bots.make_move(game_id, "e7e5"))
    refused("an illegal move", 400, lambda: anna.c.board.make_move(game_id, "e2e5"))
    refused("no move at all", 400, lambda: anna.c.board.make_move(game_id, "None"))
    play(game_id, streams, (anna, bot), "e2e4 e7e5 d1h5 b8c6 f1c4".split())
    ongoing = anna.c.games.get_ongoing()
    need("ongoing", [g["gameId"] for g in ongoing] == [game_id], ongoing)
    check("my turn", ongoing[0]["isMyTurn"], False)
    current = list(anna.c.games.export_ongoing_by_player(anna.name))
    check("current game", [g["id"] for g in current], [game_id])
    watch = Reader(anna.c.games.stream_game_moves(game_id))
    check("watched game", watch.next("watch", lambda e: True)["id"], game_id)
    need("playing", anna.c.users.get_realtime_statuses(anna.name, with_game_ids=True)[0].get("playing"))
    play(game_id, streams, (bot, anna), ["g8f6"], before=5)
    anna.c.board.make_move(game_id, "h5f7")
    for s in streams:
        last = s.next("mate", lambda e: kind("gameState")(e) and e["status"] != "started")
        check("end", (last["status"], last["winner"]), ("mate", "white"))
        s.end("finished game")
    for p in (anna, bot):
        p.inbox.next("gameFinish", lambda e: e["type"] == "gameFinish" and e["game"]["gameId"] == game_id)
    watch.end("watched game")
    bot.c.bots.post_message(game_id, "gg")  # chat goes on after the end
    check("nothing ongoing", anna.c.games.get_ongoing(), [])
    refused("a move after the end", 400, lambda: bot.c.bots.make_move(game_id, "a7a6"))
    read_game(anna, bot, game_id)
    return game_id


def read_game(anna, bot, game_id):
    g = anna.c.games.export(game_id)
    check("exported end", (g["status"], g["winner"], g["variant"]), ("mate", "white", "standard"))
    check("exported moves", g["moves"], "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#")
    need("exported time", isinstance(g["createdAt"], datetime.datetime), g)
    pgn = anna.c.games.export(game_id, as_pgn=True)
    parsed = chess.pgn.read_game(io.StringIO(pgn))
    check("PGN errors", parsed.errors, [])
    check("PGN result", parsed.headers["Result"], "1-0")
    need("PGN mates", parsed.end().board().is_checkmate(), pgn)
    mine = list(anna.c.games.export_by_player(anna.name, max=5))
    check("games of a player", [x["id"] for x in mine], [game_id])
    pgns = list(anna.c.games.export_by_player(anna.name, as_pgn=True, vs=bot.name))
    check("PGN games of a player", len(pgns), 1)
    need("PGN of a player", chess.pgn.read_game(io.StringIO(pgns[0])).errors == [], pgns)
    check("games by id", [x["id"] for x in anna.c.games.export_multi(game_id, "aaaa0000")], [game_id])
    check("PGN games by id", len(list(anna.c.games.export_multi(game_id, as_pgn=True))), 1)


def drawn(anna, bea):
    """Two people: takeback, draw declined and agreed."""
    game_id, streams = begin(anna, bea, clock_limit=900, clock_increment=0, color="white")
    play(game_id, streams, (anna, bea), "e2e4 e7e5 g1f3".split())
    anna.c.board.offer_takeback(game_id)
    streams[1].next("takeback proposed", kind("gameState", wtakeback=True))
    bea.c.board.accept_takeback(game_id)
    streams[0].next("taken back", kind("gameState", moves="e2e4 e7e5"))
    bea.c.board.offer_takeback(game_id)
    streams[0].next("takeback proposed", kind("gameState", btakeback=True))
    anna.c.board.decline_takeback(game_id)
    streams[1].next("takeback declined", lambda e: kind("gameState", moves="e2e4 e7e5")(e) and not e.get("btakeback"))
    anna.c.board.offer_draw(game_id)
    streams[1].next("draw offered", kind("gameState", wdraw=True))
    bea.c.board.decline_draw(game_id)
    streams[0].next("draw declined", lambda e: kind("gameState")(e) and not e.get("wdraw"))
    bea.c.board.offer_draw(game_id)
    streams[0].next("draw offered", kind("gameState", bdraw=True))
    anna.c.board.accept_draw(game_id)
    for s in streams:
        check("end", s.next("draw", lambda e: kind("gameState")(e) and e["status"] != "started")["status"], "draw")
        s.end("drawn game")


def resigned_and_aborted(anna, bea, bot):
    game_id, streams = begin(bea, anna, clock_limit=900, clock_increment=0, color="white")
    play(game_id, streams, (bea, anna), "d2d4 d7d5".split())
    refused("an abort after two moves", 400, lambda: anna.c.board.abort_game(game_id))
    refused("a win claimed from somebody who is there", 400, lambda: anna.c.board.claim_victory(game_id))
    refused("berserk without an arena", 400, lambda: anna.c.board.go_berserk(game_id))
    anna.c.challenges.add_time_to_opponent_clock(game_id, 15)
    anna.c.board.resign_game(game_id)
    last = streams[0].next("resignation", lambda e: kind("gameState")(e) and e["status"] != "started")
    check("end", (last["status"], last["winner"]), ("resign", "white"))

    game_id, streams = begin(anna, bot, clock_limit=900, clock_increment=0, color="black")
    bot.c.bots.abort_game(game_id)
    check("end", streams[0].next("abort", lambda e: kind("gameState")(e))["status"], "aborted")

    game_id, streams = begin(anna, bot, clock_limit=900, clock_increment=0, color="white")
    play(game_id, streams, (anna, bot), "e2e4 e7e5".split())
    bot.c.bots.resign_game(game_id)
    check("end", streams[0].next("resignation", lambda e: kind("gameState")(e))["status"], "resign")


def challenges(anna, bea, bot):
    made = anna.c.challenges.create(bea.name, False, days=2)
    bea.inbox.next("challenge", lambda e: e["type"] == "challenge" and e["challenge"]["id"] == made["id"])
    bea.c.challenges.decline(made["id"], reason="timeControl")
    got = anna.inbox.next("declined", lambda e: e["type"] == "challengeDeclined" and e["challenge"]["id"] == made["id"])
    check("reason", got["challenge"]["declineReasonKey"], "timecontrol")
    refused("accepting what was declined", 400, lambda: bea.c.challenges.accept(made["id"]))

    made = anna.c.challenges.create(bot.name, False, clock_limit=180, clock_increment=2)
    bot.inbox.next("challenge", lambda e: e["type"] == "challenge" and e["challenge"]["id"] == made["id"])
    bot.c.bots.decline_challenge(made["id"], reason="tooFast")
    anna.inbox.next("declined", lambda e: e["type"] == "challengeDeclined")

    made = anna.c.challenges.create(bea.name, False, clock_limit=300, clock_increment=0, position="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    check("variant with a position", made["variant"]["key"], "fromPosition")
    anna.c.challenges.cancel(made["id"])
    bea.inbox.next("canceled", lambda e: e["type"] == "challengeCanceled" and e["challenge"]["id"] == made["id"])
    refused("accepting what was canceled", 400, lambda: bea.c.challenges.accept(made["id"]))

    made = anna.c.challenges.create_open(clock_limit=600, clock_increment=0, name="For anybody")
    need("open challenge", made["challenger"] is None or made["challenger"]["id"] == anna.id, made)
    anna.c.challenges.cancel(made["id"])
    refused("a challenge to oneself", 404, lambda: anna.c.challenges.create(anna.name, False))
    refused("a challenge to nobody", 400, lambda: anna.c.challenges.create("Nobody-here", False))
    refused("an unknown variant", 400, lambda: anna.c.challenges.create(bea.name, False, variant="gobblet"))


def engine(anna):
    game = anna.c.challenges.create_ai(level=1, clock_limit=600, clock_increment=5, color="black")
    anna.inbox.next("gameStart", lambda e: e["type"] == "gameStart" and e["game"]["gameId"] == game["id"])
    s = anna.game(game["id"])
    full = s.next("gameFull", lambda e: True)
    check("engine", full["white"]["aiLevel"], 1)
    # The engine may have moved before the stream was open: then the first line has its move already.
    if not full["state"]["moves"]:
        s.next("the engine's move", lambda e: kind("gameState")(e) and len(e["moves"].split()) == 1)
    anna.c.board.resign_game(game["id"])
    s.end("game against the engine")


def seeks(anna, bea):
    waiting = [threading.Thread(target=p.c.board.seek, args=(10, 3), kwargs={"color": color}, daemon=True)
               for p, color in ((anna, "white"), (bea, "black"))]
    for w in waiting:
        w.start()
    started = anna.inbox.next("game from the lobby", lambda e: e["type"] == "gameStart" and e["game"]["source"] == "lobby")
    for w in waiting:
        w.join(WAIT)
        need("the seek ends", not w.is_alive())
    anna.c.board.abort_game(started["game"]["gameId"])


def watching(anna, bea):
    """TV, and the streams of games by users and by ids."""
    between = Reader(anna.c.games.get_among_players(anna.name, bea.name))
    game_id, streams = begin(anna, bea, clock_limit=900, clock_increment=0, color="white", variant="spartan")
    started = between.next("a game among players", lambda e: e["id"] == game_id)
    check("started", (started["status"], started["statusName"], started["players"]["white"]["userId"]), (20, "started", anna.id))
    listed = Reader(anna.c.games.stream_games_by_ids(game_id, stream_id="realclients1"))
    check("listed game", listed.next("a listed game", lambda e: True)["id"], game_id)
    play(game_id, streams, (anna, bea), ["e2e4", "h7f5"])
    feed = Reader(anna.c.tv.stream_current_game())
    need("featured", feed.next("featured", lambda e: e["t"] == "featured")["d"]["id"])
    channels = {}
    for _ in range(20):
        channels = anna.c.tv.get_current_games()
        if channels.get("spartan", {}).get("gameId") == game_id:
            break
        threading.Event().wait(0.5)
    need("TV shows the game", channels.get("spartan", {}).get("gameId") == game_id, channels)
    check("games of a channel", [g["id"] for g in anna.c.tv.get_best_ongoing("spartan")], [game_id])
    other, _ = begin(bea, anna, clock_limit=900, clock_increment=0, color="white")
    anna.c.games.add_game_ids_to_stream(other, stream_id="realclients1")
    listed.next("an added game", lambda e: e["id"] == other)
    anna.c.board.resign_game(game_id)
    for s in (between, listed):
        check("the end", s.next("the end", lambda e: e["id"] == game_id and e["status"] > 20)["winner"], "black")
    bea.c.board.abort_game(other)


def imports(anna):
    pgn = '[White "Greco"]\n[Black "?"]\n[Result "1-0"]\n\n1. e4 b6 2. d4 Bb7 3. Bd3 f5 1-0'
    made = anna.c.games.import_game(pgn)
    check("the same game again", anna.c.games.import_game(pgn)["id"], made["id"])
    need("its address", made["url"].endswith(made["id"]), made)
    g = anna.c.games.export(made["id"])
    check("imported game", (g["moves"], g["winner"], g["players"]["white"]["name"]), ("e4 b6 d4 Bb7 Bd3 f5", "white", "Greco"))
    refused("a game with an illegal move", 400, lambda: anna.c.games.import_game("1. e5 *"))


def accounts(anna, bea, bot, fresh):
    me = anna.c.account.get()
    check("createdAt", type(me["createdAt"]), datetime.datetime)
    need("speeds", all(k in me["perfs"] for k in ("bullet", "blitz", "rapid", "classical", "correspondence")), me["perfs"])
    need("preferences", "prefs" in anna.c.account.get_preferences())
    check("kid mode", anna.c.account.get_kid_mode(), False)
    anna.c.account.set_kid_mode(True)
    check("kid mode", anna.c.account.get_kid_mode(), True)
    anna.c.account.set_kid_mode(False)
    need("e-mail", "@" in anna.c.account.get_email())
    check("profile", bea.c.users.get_public_data(anna.name.upper())["id"], anna.id)
    check("profiles", [u["id"] for u in anna.c.users.get_by_id(bea.name, "nobody-here", anna.name)], [bea.id, anna.id])
    check("no profiles", anna.c.users.get_by_id(), [])
    statuses = anna.c.users.get_realtime_statuses(anna.id, bot.id)
    check("online", [s.get("online") for s in statuses], [True, True])
    need("bots online", bot.id in [b["id"] for b in anna.c.bots.get_online_bots(100)])
    tested = anna.c.oauth.test_tokens(anna.token, "lip_unknown")
    check("unknown token", tested["lip_unknown"], None)
    check("own token", tested[anna.token]["userId"], anna.id)
    refused("an unknown user", 404, lambda: anna.c.users.get_public_data("nobody-here"))
    fresh.c.account.upgrade_to_bot()
    check("title", fresh.c.account.get()["title"], "BOT")
    refused("an upgrade after a game", 400, lambda: anna.c.account.upgrade_to_bot())


def relations(anna, bea):
    check("nobody followed", list(anna.c.relations.get_users_followed()), [])
    anna.c.relations.follow(bea.name)
    followed = list(anna.c.relations.get_users_followed())
    check("followed", [u["id"] for u in followed], [bea.id])
    check("createdAt", type(followed[0]["createdAt"]), datetime.datetime)
    profile = anna.c.users.get_public_data(bea.name)
    check("flags", [profile[k] for k in ("followable", "following", "followsYou", "blocking")], [True, True, False, False])
    check("friends first", anna.c.users.get_by_autocomplete(bea.name[:3], only_followed_players=True), [bea.id])
    refused("following nobody", 404, lambda: anna.c.relations.follow("nobody-here"))
    bea.c.relations._r.post("/api/rel/block/" + anna.name)  # berserk's next version has methods for it
    refused("challenging who blocks", 400, lambda: anna.c.challenges.create(bea.name, False, clock_limit=600, clock_increment=0))
    check("a block ends a following", list(anna.c.relations.get_users_followed()), [])
    bea.c.relations._r.post("/api/rel/unblock/" + anna.name)
    anna.c.relations.follow(bea.name)
    anna.c.relations.unfollow(bea.name)
    check("nobody followed", list(anna.c.relations.get_users_followed()), [])


def standings(anna, bea, bot):
    """After the games of the other parts: everything that tells how an account stands."""
    users = anna.c.users
    boards = users.get_all_top_10()
    need("leaderboards", all(isinstance(boards[k], list) for k in ("bullet", "blitz", "rapid", "classical", "crazyhouse")), boards)
    check("leaderboard", users.get_leaderboard("blitz", count=5), [])
    check("matches", users.get_by_autocomplete(anna.name[:3]).count(anna.id), 1)
    objects = users.get_by_autocomplete(anna.name, as_object=True)
    need("matches as objects", any(u["id"] == anna.id and u["online"] for u in objects), objects)
    history = users.get_rating_history(anna.name)
    need("rating history", [h["name"] for h in history][:2] == ["UltraBullet", "Bullet"], history)
    stat = users.get_user_performance(anna.name, "rapid")
    check("performance of", stat["user"]["name"], anna.name)
    need("games in it", stat["stat"]["count"]["all"] >= 1, stat)
    check("no rank", stat["rank"], None)
    days = users.get_activity_feed(anna.name)
    check("a day begins", type(days[-1]["interval"]["start"]), datetime.datetime)
    need("games of the day", any("games" in d for d in days), days)
    table = users.get_crosstable(anna.name, bea.name, matchup=True)
    need("score", table["nbGames"] >= 2 and table["matchup"]["nbGames"] == table["nbGames"], table)
    check("points", sum(table["users"].values()), table["nbGames"])
    check("streamers", users.get_live_streamers(), [])
    line = anna.c.account._r.get("/api/timeline", params={"nb": 30})  # berserk's next version has a method for it
    need("timeline", "game-end" in [e["type"] for e in line["entries"]] and bea.id in line["users"], line)
    refused("the performance of nobody", 404, lambda: users.get_user_performance("nobody-here", "rapid"))


def puzzles(anna):
    daily = anna.c.puzzles.get_daily()
    need("solution", daily["puzzle"]["solution"], daily)
    check("puzzle by id", anna.c.puzzles.get(daily["puzzle"]["id"])["puzzle"]["id"], daily["puzzle"]["id"])
    first = anna.c.puzzles.get_next()
    check("the same until it is solved", anna.c.puzzles.get_next()["puzzle"]["id"], first["puzzle"]["id"])
    refused("an unknown puzzle", 404, lambda: anna.c.puzzles.get("zzzzz"))


def main():
    base, tokens = sys.argv[1], json.load(sys.stdin)
    anna, bea = Player(base, tokens["anna"]).events(), Player(base, tokens["bea"]).events()
    bot, fresh = Player(base, tokens["bot"]).events(), Player(base, tokens["fresh"])
    parts = [
        ("scholar's mate", lambda: scholars_mate(anna, bot)),
        ("draw and takeback", lambda: drawn(anna, bea)),
        ("resign and abort", lambda: resigned_and_aborted(anna, bea, bot)),
        ("challenges", lambda: challenges(anna, bea, bot)),
        ("engine", lambda: engine(anna)),
        ("seeks", lambda: seeks(anna, bea)),
        ("watching", lambda: watching(anna, bea)),
        ("imports", lambda: imports(anna)),
        ("relations", lambda: relations(anna, bea)),
        ("standings", lambda: standings(anna, bea, bot)),
        ("accounts", lambda: accounts(anna, bea, bot, fresh)),
        ("puzzles", lambda: puzzles(anna)),
    ]
    for name, part in parts:
        try:
            part()
        except Wrong as e:
            sys.exit("%s: %s" % (name, e))
        except berserk.exceptions.ResponseError as e:
            sys.exit("%s: the server refused: %s" % (name, e))
        print("ok", name, flush=True)


if __name__ == "__main__":
    main()
