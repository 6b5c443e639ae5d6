"""People, games and tokens on the server under test, so that requests of the contract test have something to act on."""

import base64
import hashlib
import itertools
import urllib.parse

import requests

PASSWORD = "correct horse battery"
VERIFIER = "v" * 64
BACK = "https://app.example/back"


class Person:
    """An account: its names, a token with every scope, and a session."""

    def __init__(self, world, name, signed_up=False):
        self.world = world
        if signed_up:
            self.id, self.name, self.token = name.lower(), name, ""
            self.session = self.log_in()
            return
        made = world.send("POST", "/api/signup", json={"username": name, "password": PASSWORD})
        self.id, self.name, self.token = made["id"], made["username"], made["token"]
        self.session = self.log_in()

    def log_in(self):
        return self.world.send("POST", "/api/login", json={"username": self.name, "password": PASSWORD})["session"]

    def send(self, method, path, session=False, **kwargs):
        key = self.session if session else self.token
        return self.world.send(method, path, headers={"Authorization": "Bearer " + key}, **kwargs)


class World:
    """What there is on the server. Everything is made through its API."""

    def __init__(self, url):
        self.url = url.rstrip("/")
        self.http = requests.Session()
        self.http.trust_env = False
        self.count = itertools.count()
        self.solution = []
        self.anna, self.bea, self.kim = Person(self, "Anna"), Person(self, "Bea"), Person(self, "Kim")
        self.admin = Person(self, "Ada", signed_up=True)
        self.robby = Person(self, "Robby")
        self.robby.send("POST", "/api/bot/account/upgrade")
        self.anna.send("POST", "/api/analysis", json={"nodes": 1000})  # of the usual start, which is known from then on
        self.variants = [v["key"] for v in self.send("GET", "/api/variants")]
        self.finished = self.game(self.anna, self.bea)
        self.play(self.finished, self.anna, self.bea, "e2e4 e7e5")
        self.anna.send("POST", f"/api/board/game/{self.finished}/resign")

    def send(self, method, path, **kwargs):
        """Sends what must succeed and returns the answer."""
        answer = self.http.request(method, self.url + path, timeout=20, **kwargs)
        self.http.cookies.clear()
        if answer.status_code >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        if answer.headers.get("Content-Type", "").startswith("application/json"):
            return answer.json()
        return answer.text

    def stranger(self):
        """A new account, for requests that spoil it."""
        return Person(self, f"Stranger{next(self.count)}")

    def closed(self):
        """The name of an account that an administrator has closed."""
        name = self.stranger().name
        self.admin.send("POST", f"/api/admin/users/{name}/close", session=True, json={"note": "contract"})
        return name

    def rival(self, person):
        return self.bea if person is self.anna else self.anna

    def challenge(self, by, to, **form):
        form = {"clock.limit": 600, "clock.increment": 5, "color": "white", **form}
        return by.send("POST", "/api/challenge/" + to.name, json=form)["id"]

    def game(self, white, black, moves=""):
        """A new game of chess, with some moves made."""
        game = self.challenge(white, black)
        black.send("POST", f"/api/challenge/{game}/accept")
        self.play(game, white, black, moves)
        return game

    def play(self, game, white, black, moves):
        for number, move in enumerate(moves.split()):
            player = black if number % 2 else white
            kind = "bot" if player is self.robby else "board"
            player.send("POST", f"/api/{kind}/game/{game}/move/{move}")

    def code(self):
        """A code of the OAuth flow, to be traded for a token."""
        grant = self.anna.send("POST", "/api/oauth/authorize", session=True, json=self.oauth())
        return urllib.parse.parse_qs(urllib.parse.urlsplit(grant["redirect"]).query)["code"][0]

    def oauth(self):
        """What an application asks for."""
        digest = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
        return {
            "response_type": "code", "client_id": "contract", "redirect_uri": BACK, "code_challenge_method": "S256",
            "code_challenge": digest, "scope": "board:play", "state": "s",
        }

    def spare_session(self, person):
        """The id of a session that nobody needs."""
        person.log_in()
        sessions = person.send("GET", "/api/account/sessions", session=True)
        return next(s["id"] for s in sessions if not s["current"])

    def spare_token(self, person):
        """The id of a token that nobody needs."""
        form = {"description": "spare", "scopes": []}
        return person.send("POST", "/api/account/tokens", session=True, json=form)["id"]

    def engine(self, person):
        """The id of an external engine; an account may not have many."""
        known = person.send("GET", "/api/external-engine")
        form = {"name": "Spare", "maxThreads": 1, "maxHash": 16, "providerSecret": "s" * 16}
        return (known or [person.send("POST", "/api/external-engine", json=form)])[0]["id"]

    def puzzle(self):
        """A puzzle's id. Its solution is kept."""
        puzzle = self.send("GET", "/api/puzzle/next")["puzzle"]
        self.solution = puzzle["solution"]
        return puzzle["id"]
