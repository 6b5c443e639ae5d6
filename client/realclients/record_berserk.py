"""Records what berserk puts on the wire, as test data for the server's validator.

Each method that asks for an endpoint which the server has is called once against
a stub. Run it after a change of berserk's version:

    python record_berserk.py > testdata/berserk.txtar

The lines "want:" are kept from the file that is there; a new entry wants 200.
"""

import pathlib
import re
import socket
import sys
import threading

import berserk

captured = []


def serve(listener):
    """Takes requests one by one, keeps their bytes and answers all of them alike."""
    while True:
        conn, _ = listener.accept()
        with conn:
            data = b""
            while b"\r\n\r\n" not in data:
                part = conn.recv(65536)
                if not part:
                    break
                data += part
            head, _, body = data.partition(b"\r\n\r\n")
            length = re.search(rb"(?im)^content-length: *(\d+)", head)
            while length and len(body) < int(length.group(1)):
                body += conn.recv(65536)
            captured.append(head + b"\r\n\r\n" + body)
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")


def calls(c):
    """Every method of berserk whose endpoint the server has. {x} is filled in by the test."""
    yield "account.get", lambda: c.account.get()
    yield "account.get_email", lambda: c.account.get_email()
    yield "account.get_preferences", lambda: c.account.get_preferences()
    yield "account.get_kid_mode", lambda: c.account.get_kid_mode()
    yield "account.set_kid_mode", lambda: c.account.set_kid_mode(False)
    yield "account.upgrade_to_bot", lambda: c.account.upgrade_to_bot()
    yield "users.get_realtime_statuses", lambda: c.users.get_realtime_statuses("%user%", "nobody", with_game_ids=True)
    yield "users.get_public_data", lambda: c.users.get_public_data("%user%")
    yield "users.get_by_id", lambda: c.users.get_by_id("%user%", "nobody")
    yield "users.get_by_id none", lambda: c.users.get_by_id()
    yield "users.get_all_top_10", lambda: c.users.get_all_top_10()
    yield "users.get_leaderboard", lambda: c.users.get_leaderboard("blitz", count=5)
    yield "users.get_by_autocomplete", lambda: c.users.get_by_autocomplete("%user%")
    yield "users.get_by_autocomplete object", lambda: c.users.get_by_autocomplete("%user%", only_followed_players=True, as_object=True)
    yield "users.get_activity_feed", lambda: c.users.get_activity_feed("%user%")
    yield "users.get_live_streamers", lambda: c.users.get_live_streamers()
    yield "users.get_rating_history", lambda: c.users.get_rating_history("%user%")
    yield "users.get_crosstable", lambda: c.users.get_crosstable("%user%", "%me%", matchup=True)
    yield "users.get_user_performance", lambda: c.users.get_user_performance("%user%", "rapid")
    yield "relations.get_users_followed", lambda: list(c.relations.get_users_followed())
    yield "relations.follow", lambda: c.relations.follow("%user%")
    yield "relations.unfollow", lambda: c.relations.unfollow("%user%")
    yield "oauth.test_tokens", lambda: c.oauth.test_tokens("%token%", "lip_unknown")
    yield "challenges.get_mine", lambda: c.challenges.get_mine()
    yield "challenges.create", lambda: c.challenges.create("%user%", False)
    yield "challenges.create clock", lambda: c.challenges.create("%user%", True, clock_limit=180, clock_increment=2, color="white", variant="standard")
    yield "challenges.create days", lambda: c.challenges.create("%user%", False, days=2, color="random", variant="chess960")
    yield "challenges.create fen", lambda: c.challenges.create("%user%", False, clock_limit=600, clock_increment=0, position="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    yield "challenges.create_with_accept", lambda: c.challenges.create_with_accept("%user%", False, "%token%", clock_limit=600, clock_increment=5)
    yield "challenges.create_ai", lambda: c.challenges.create_ai(level=1, clock_limit=600, clock_increment=5, color="white")
    yield "challenges.create_open", lambda: c.challenges.create_open(clock_limit=600, clock_increment=5, name="Anybody")
    yield "challenges.accept", lambda: c.challenges.accept("%challenge%")
    yield "challenges.decline", lambda: c.challenges.decline("%challenge%", reason="timeControl")
    yield "challenges.cancel", lambda: c.challenges.cancel("%mine%")
    yield "challenges.start_clocks", lambda: c.challenges.start_clocks("%game%", "%token%", "%other%")
    yield "challenges.add_time_to_opponent_clock", lambda: c.challenges.add_time_to_opponent_clock("%game%", 15)
    yield "board.stream_incoming_events", lambda: list(c.board.stream_incoming_events())
    yield "board.seek", lambda: c.board.seek(10, 5, rated=True, variant="standard", color="random", rating_range=(1000, 2000))
    yield "board.stream_game_state", lambda: list(c.board.stream_game_state("%game%"))
    yield "board.make_move", lambda: c.board.make_move("%game%", "e2e4")
    yield "board.post_message", lambda: c.board.post_message("%game%", "Good luck ♞")
    yield "board.post_message spectator", lambda: c.board.post_message("%game%", "hello", spectator=True)
    yield "board.get_game_chat", lambda: c.board.get_game_chat("%game%")
    yield "board.abort_game", lambda: c.board.abort_game("%game%")
    yield "board.resign_game", lambda: c.board.resign_game("%game%")
    yield "board.offer_draw", lambda: c.board.offer_draw("%game%")
    yield "board.decline_draw", lambda: c.board.decline_draw("%game%")
    yield "board.offer_takeback", lambda: c.board.offer_takeback("%game%")
    yield "board.decline_takeback", lambda: c.board.decline_takeback("%game%")
    yield "board.claim_victory", lambda: c.board.claim_victory("%game%")
    yield "board.go_berserk", lambda: c.board.go_berserk("%game%")
    yield "bots.stream_incoming_events", lambda: list(c.bots.stream_incoming_events())
    yield "bots.stream_game_state", lambda: list(c.bots.stream_game_state("%game%"))
    yield "bots.get_online_bots", lambda: list(c.bots.get_online_bots(50))
    yield "bots.make_move", lambda: c.bots.make_move("%game%", "e2e4")
    yield "bots.post_message", lambda: c.bots.post_message("%game%", "hello")
    yield "bots.abort_game", lambda: c.bots.abort_game("%game%")
    yield "bots.resign_game", lambda: c.bots.resign_game("%game%")
    yield "bots.accept_challenge", lambda: c.bots.accept_challenge("%challenge%")
    yield "bots.decline_challenge", lambda: c.bots.decline_challenge("%challenge%", reason="tooFast")
    yield "games.export", lambda: c.games.export("%game%", as_pgn=True, moves=True, tags=False, clocks=True, evals=False, opening=True, literate=True)
    yield "games.export json", lambda: c.games.export("%game%", as_pgn=False)
    yield "games.export_ongoing_by_player", lambda: list(c.games.export_ongoing_by_player("%user%"))
    yield "games.export_by_player", lambda: list(c.games.export_by_player("%user%", as_pgn=True, since=1544260200000, until=1893456000000, max=3, vs="%me%", rated=False, perf_type="rapid", color="white", analysed=False, moves=True, pgn_in_json=True, tags=True, clocks=True, evals=True, opening=True, ongoing=True, finished=True, sort="dateAsc", literate=False))
    yield "games.export_by_player json", lambda: list(c.games.export_by_player("%user%"))
    yield "games.export_multi", lambda: list(c.games.export_multi("%game%", "aaaa0000", as_pgn=True, moves=False))
    yield "games.export_multi json", lambda: list(c.games.export_multi("%game%"))
    yield "games.get_ongoing", lambda: c.games.get_ongoing(count=20)
    yield "games.stream_game_moves", lambda: list(c.games.stream_game_moves("%game%"))
    yield "puzzles.get_daily", lambda: c.puzzles.get_daily()
    yield "puzzles.get", lambda: c.puzzles.get("%puzzle%")
    yield "puzzles.get_next", lambda: c.puzzles.get_next(angle="mateIn1", difficulty="normal")


def wanted(path):
    """What the present file wants of each request."""
    if not path.exists():
        return {}
    entries = re.findall(r"(?m)^-- (.+) --\nwant: (.+)$", path.read_text())
    return dict(entries)


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    base = "http://127.0.0.1:%d" % listener.getsockname()[1]
    client = berserk.Client(session=berserk.TokenSession("%token%"), base_url=base)
    wants = wanted(pathlib.Path(__file__).parent / "testdata" / "berserk.txtar")
    out = ["Requests of berserk %s, made by record_berserk.py.\n" % __import__("importlib.metadata").metadata.version("berserk")]
    for name, call in calls(client):
        captured.clear()
        try:
            call()
        except Exception as failure:  # the stub's answer suits nobody; only what was sent counts
            print("%s: %s" % (name, type(failure).__name__), file=sys.stderr)
        if len(captured) != 1:
            sys.exit("%s sent %d requests" % (name, len(captured)))
        text = captured[0].decode().replace("\r\n", "\n").replace(base[len("http://"):], "%host%")
        text = re.sub(r"%25(\w+)%25", r"%\1%", text)
        text = re.sub(r"(?im)^content-length: [1-9]\d*$", "Content-Length: %length%", text)
        out.append("-- %s --\nwant: %s\n%s\n" % (name, wants.get(name, "200"), text))
    sys.stdout.write("".join(out))


if __name__ == "__main__":
    main()
