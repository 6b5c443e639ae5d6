"""Which account sends a generated request, and values for its parameters and its body that exist on the server."""

import dataclasses
import itertools

from world import BACK, PASSWORD, VERIFIER

# Operations that spoil the account, token or session they are called with: somebody new calls them.
SPOILING = {
    "accountPassword", "accountEmailSet", "accountSessionsEnd", "logout", "apiTokenDelete", "botAccountUpgrade",
    "accountClose", "accountTotpEnrol", "accountTotpConfirm", "accountTotpDisable",
}

# Operations by which an account shuts out others, or itself: somebody calls them whom nobody plays.
FICKLE = {"accountPreferencesSet", "accountKidPost", "followUser", "unfollowUser", "blockUser", "unblockUser"}

# A position that has come up three times.
REPEATED = " ".join(["g1f3 g8f6 f3g1 f6g8"] * 2)


@dataclasses.dataclass
class Caller:
    person: object
    key: str  # a token or a session
    cookie: bool  # it is sent as a cookie, as browsers do


class Filler:
    """Makes what requests need, and makes it anew when a request has used it up."""

    def __init__(self, world):
        self.world = world
        self.made = {}

    def kept(self, operation_id, name, make):
        key = operation_id, name
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def used(self, operation_id):
        """An operation has succeeded: what was made for it may be gone."""
        for key in [k for k in self.made if k[0] == operation_id]:
            del self.made[key]

    def caller(self, operation, draw):
        """Returns who calls, None for nobody. draw is below 16."""
        raw = operation.definition.raw
        security = raw.get("security", [])
        if not security or draw == 0:
            return None
        person = self.world.anna
        if raw["operationId"] in SPOILING:
            person = self.kept(raw["operationId"], "caller", self.world.stranger)
        elif operation.path.startswith("/api/admin"):
            person = self.world.admin if draw != 2 else self.world.anna
        elif raw["operationId"] in FICKLE:
            return Caller(self.world.kim, self.world.kim.token, cookie=False)
        elif operation.path.startswith("/api/bot/game") != (draw == 2):
            person = self.world.robby
        if draw == 3 or not any("token" in s for s in security):
            return Caller(person, person.session, cookie=True)
        return Caller(person, person.token, cookie=False)

    def fill(self, operation_id, caller, case, path, query, body):
        """Puts what exists into the parts of a request that are not wrong on purpose."""
        person = caller.person if caller else self.world.anna
        if path:
            for name in case.path_parameters:
                make = PATH.get(f"{operation_id} {name}") or PATH.get(name)
                if make:
                    made = self.kept(operation_id, f"{name} {person.id}", lambda: make(self.world, person))
                    case.path_parameters[name] = made
        if query and operation_id in QUERIES:
            QUERIES[operation_id](self.world, person, case.query)
        if body and isinstance(case.body, dict) and operation_id in BODIES:
            BODIES[operation_id](self.world, person, case.body)


def game(moves):
    return lambda world, person: world.game(person, world.rival(person), moves)


VARIANTS = itertools.count()


def variant(world):
    return world.variants[next(VARIANTS) % len(world.variants)]


# Values of path parameters, by the operation and the name, or by the name.
PATH = {
    "username": lambda w, p: w.rival(p).name,
    "adminUserRole username": lambda w, p: w.stranger().name,
    "adminUserClose username": lambda w, p: w.stranger().name,
    "adminUserReopen username": lambda w, p: w.closed(),
    "adminUserSessionsEnd username": lambda w, p: w.stranger().name,
    "adminUserResetLink username": lambda w, p: w.stranger().name,
    "adminUserTotpOff username": lambda w, p: w.stranger().name,
    "adminInviteRevoke id": lambda w, p: w.admin.send("POST", "/api/admin/invites", session=True, json={})["id"],
    "gameId": game(""),
    "gamePgn gameId": lambda w, p: w.finished,
    "botGameMove move": lambda w, p: "e2e4",
    "boardGameMove move": lambda w, p: "e2e4",
    "botGameClaimDraw gameId": game(REPEATED),
    "boardGameClaimDraw gameId": game(REPEATED),
    "user1": lambda w, p: w.anna.name,
    "user2": lambda w, p: w.bea.name,
    "perf": lambda w, p: "blitz",
    "perfType": lambda w, p: "blitz",
    "channel": lambda w, p: "blitz",
    "challengeId": lambda w, p: w.challenge(w.rival(p), p),
    "challengeCancel challengeId": lambda w, p: w.challenge(p, w.rival(p)),
    "key": lambda w, p: variant(w),
    "analysisId": lambda w, p: p.send("POST", "/api/analysis", json={"nodes": 1000, "moves": "a2a4 a7a5 h2h4"})["id"],
    "apiPuzzleId id": lambda w, p: w.puzzle(),
    "puzzleSolve id": lambda w, p: w.puzzle(),
    "accountSessionEnd id": lambda w, p: w.spare_session(p),
    "apiExternalEngineGet id": lambda w, p: w.engine(p),
    "apiExternalEnginePut id": lambda w, p: w.engine(p),
    "apiExternalEngineDelete id": lambda w, p: w.engine(p),
    "accountTokenRevoke id": lambda w, p: w.spare_token(p),
}


def login(world, person, body):
    body.update(username=person.name, password=PASSWORD)
    body.pop("totp", None)


def signup(world, person, body):
    body["username"] = f"New{next(world.count)}"
    body.pop("invite", None)
    body.pop("email", None)


def new_game(world, person, body):
    body["variant"] = variant(world)
    for name in ("fen", "keepAliveStream", "opponentToken", "clock.delay", "clock.byoyomi", "clock.periods"):
        body.pop(name, None)
    if "clock.limit" in body:
        body["clock.limit"] -= body["clock.limit"] % 60


def authorize(world, person, values):
    values.clear()
    values.update(world.oauth())


def position(world, person, body):
    """A position of a game that can be analysed; what is wrong with lines and games is none of the description's."""
    body["variant"], body["nodes"] = variant(world), 1000
    for name in ("gameId", "fen", "moves"):
        body.pop(name, None)


def engine(world, person, body):
    """Which games there are, and which names are blank, is none of the description's."""
    body["name"], body["variants"] = "Contract engine", ["chess", "spartan"]


def known_position(world, person, query):
    query["fen"] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    query.pop("variant", None)


def solve(world, person, body):
    body["moves"] = world.solution[:1]


def trade(world, person, body):
    body.clear()
    body.update(grant_type="authorization_code", code=world.code(), code_verifier=VERIFIER, redirect_uri=BACK,
                client_id="contract")


QUERIES = {
    "oauth": authorize,
    "oauthRequest": authorize,
    "apiPuzzleNext": lambda w, p, q: q.update(variant=variant(w)) if "variant" in q else None,
    "apiCloudEval": known_position,
    "challengeStartClocks": lambda w, p, q: q.update(token1=p.token, token2=w.rival(p).token),
}

BODIES = {
    "login": login,
    "signup": signup,
    "accountPassword": lambda w, p, b: b.update(password=PASSWORD),
    "accountEmailSet": lambda w, p, b: b.update(password=PASSWORD),
    "accountClose": lambda w, p, b: b.update(password=PASSWORD),
    "accountTotpEnrol": lambda w, p, b: b.update(password=PASSWORD),
    "accountTotpDisable": lambda w, p, b: b.update(password=PASSWORD),
    "reportCreate": lambda w, p, b: (b.update(username=w.bea.name), b.pop("gameId", None), b.pop("line", None)),
    "accountTokenCreate": lambda w, p, b: (b.pop("username", None), b.pop("password", None)),
    "challengeCreate": new_game,
    "challengeOpen": new_game,
    "challengeAi": new_game,
    "puzzleSolve": solve,
    "analysisCreate": position,
    "apiExternalEngineCreate": engine,
    "apiExternalEnginePut": engine,
    "gameImport": lambda w, p, b: b.update(pgn="1. e4 e5 2. Nf3 *"),
    "oauthApprove": authorize,
    "apiToken": trade,
}
