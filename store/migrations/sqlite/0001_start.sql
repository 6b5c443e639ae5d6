-- +goose Up

-- Times are milliseconds since 1970 in UTC, 0 for "not set"; durations are
-- milliseconds. Lists of words are separated by spaces. Keys compare byte by
-- byte, as in the PostgreSQL schema, so that pages come in the same order.

CREATE TABLE accounts (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    email         TEXT NOT NULL,
    title         TEXT NOT NULL,
    role          TEXT NOT NULL,
    hidden        BOOLEAN NOT NULL,
    created       INTEGER NOT NULL,
    seen          INTEGER NOT NULL,
    closed        INTEGER NOT NULL,
    kid           BOOLEAN NOT NULL,
    language      TEXT NOT NULL,
    profile       TEXT NOT NULL,
    prefs         TEXT NOT NULL,
    count_all     INTEGER NOT NULL,
    count_rated   INTEGER NOT NULL,
    count_win     INTEGER NOT NULL,
    count_loss    INTEGER NOT NULL,
    count_draw    INTEGER NOT NULL,
    count_ai      INTEGER NOT NULL,
    play_time     INTEGER NOT NULL
);
CREATE INDEX accounts_email ON accounts (lower(email)) WHERE email <> '';
CREATE INDEX accounts_role ON accounts (role) WHERE role <> '';

CREATE TABLE perfs (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    key        TEXT NOT NULL,
    rating     REAL NOT NULL,
    rd         REAL NOT NULL,
    vol        REAL NOT NULL,
    games      INTEGER NOT NULL,
    progress   INTEGER NOT NULL,
    recent     TEXT NOT NULL,
    updated    INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
) WITHOUT ROWID;
CREATE INDEX perfs_top ON perfs (key, rating DESC);

CREATE TABLE sessions (
    id         TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    created    INTEGER NOT NULL,
    expires    INTEGER NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_expires ON sessions (expires);

CREATE TABLE tokens (
    id          TEXT NOT NULL PRIMARY KEY,
    hash        BLOB NOT NULL,
    prefix      TEXT NOT NULL,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    description TEXT NOT NULL,
    scopes      TEXT NOT NULL,
    created     INTEGER NOT NULL,
    used        INTEGER NOT NULL,
    expires     INTEGER NOT NULL
);
CREATE UNIQUE INDEX tokens_hash ON tokens (hash);
CREATE INDEX tokens_account ON tokens (account_id);

CREATE TABLE challenges (
    id             TEXT NOT NULL PRIMARY KEY,
    status         TEXT NOT NULL,
    challenger_id  TEXT NOT NULL,
    dest_id        TEXT NOT NULL,
    variant        TEXT NOT NULL,
    initial_fen    TEXT NOT NULL,
    start_number   INTEGER NOT NULL,
    rated          BOOLEAN NOT NULL,
    color          TEXT NOT NULL,
    final_color    TEXT NOT NULL,
    has_clock      BOOLEAN NOT NULL,
    clock_limit    INTEGER NOT NULL,
    increment      INTEGER NOT NULL,
    days           INTEGER NOT NULL,
    rules          TEXT NOT NULL,
    open           BOOLEAN NOT NULL,
    open_users     TEXT NOT NULL,
    name           TEXT NOT NULL,
    decline_reason TEXT NOT NULL,
    rematch_of     TEXT NOT NULL,
    created        INTEGER NOT NULL,
    seen           INTEGER NOT NULL,
    expires        INTEGER NOT NULL
);
CREATE INDEX challenges_in ON challenges (dest_id, created) WHERE status = 'created';
CREATE INDEX challenges_out ON challenges (challenger_id, created) WHERE status = 'created';
CREATE INDEX challenges_expires ON challenges (expires, seen) WHERE status = 'created';
CREATE INDEX challenges_created ON challenges (created);

CREATE TABLE seeks (
    id         TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    variant    TEXT NOT NULL,
    days       INTEGER NOT NULL,
    rated      BOOLEAN NOT NULL,
    color      TEXT NOT NULL,
    rating_min INTEGER NOT NULL,
    rating_max INTEGER NOT NULL,
    created    INTEGER NOT NULL,
    expires    INTEGER NOT NULL
);
CREATE INDEX seeks_account ON seeks (account_id);
CREATE INDEX seeks_variant ON seeks (variant, created);

CREATE TABLE games (
    id            TEXT NOT NULL PRIMARY KEY,
    variant       TEXT NOT NULL,
    initial_fen   TEXT NOT NULL,
    start_number  INTEGER NOT NULL,
    speed         TEXT NOT NULL,
    perf          TEXT NOT NULL,
    rated         BOOLEAN NOT NULL,
    source        TEXT NOT NULL,
    has_clock     BOOLEAN NOT NULL,
    clock_limit   INTEGER NOT NULL,
    increment     INTEGER NOT NULL,
    days          INTEGER NOT NULL,
    rules         TEXT NOT NULL,
    rematch_of    TEXT NOT NULL,
    created       INTEGER NOT NULL,
    seq           INTEGER NOT NULL,
    status        INTEGER NOT NULL,
    winner        INTEGER NOT NULL,
    reason        TEXT NOT NULL,
    plies         INTEGER NOT NULL,
    turn          INTEGER NOT NULL,
    moves         TEXT NOT NULL,
    clock_history BLOB NOT NULL,
    clocks        BLOB NOT NULL,
    turn_start    INTEGER NOT NULL,
    deadline      INTEGER NOT NULL,
    last_move     INTEGER NOT NULL,
    rematch       TEXT NOT NULL,
    shift_epoch   INTEGER NOT NULL
);
-- The games that time alone can change. Finished games are not in it.
CREATE INDEX games_deadline ON games (deadline, id) WHERE deadline <> 0 AND status < 25;
-- The games whose deadlines move by the length of an outage.
CREATE INDEX games_days ON games (id) WHERE days > 0 AND status < 25;

CREATE TABLE game_players (
    game_id     TEXT NOT NULL REFERENCES games (id),
    seat        INTEGER NOT NULL,
    account_id  TEXT NOT NULL,
    name        TEXT NOT NULL,
    title       TEXT NOT NULL,
    rating      INTEGER NOT NULL,
    provisional BOOLEAN NOT NULL,
    rating_diff INTEGER,
    ai_level    INTEGER NOT NULL,
    created     INTEGER NOT NULL,
    live        BOOLEAN NOT NULL,
    PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
CREATE INDEX game_players_account ON game_players (account_id, created, game_id) WHERE account_id <> '';
CREATE INDEX game_players_live ON game_players (account_id) WHERE live AND account_id <> '';

-- The log. It only grows. There is no foreign key: a row is written in the
-- transaction that has just changed the game's row.
CREATE TABLE actions (
    game_id   TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    kind      TEXT NOT NULL,
    player    INTEGER NOT NULL,
    action_id TEXT NOT NULL,
    at        INTEGER NOT NULL,
    data      TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX actions_action_id ON actions (game_id, player, action_id) WHERE action_id <> '';

CREATE TABLE puzzles (
    id           TEXT NOT NULL PRIMARY KEY,
    variant      TEXT NOT NULL,
    fen          TEXT NOT NULL,
    moves        TEXT NOT NULL,
    alts         TEXT NOT NULL,
    goal         TEXT NOT NULL,
    themes       TEXT NOT NULL,
    solver       TEXT NOT NULL,
    rating       REAL NOT NULL,
    rd           REAL NOT NULL,
    vol          REAL NOT NULL,
    plays        INTEGER NOT NULL,
    popularity   INTEGER NOT NULL,
    source       TEXT NOT NULL,
    created      INTEGER NOT NULL
);
CREATE INDEX puzzles_rating ON puzzles (variant, rating);

CREATE TABLE puzzle_attempts (
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    nr           INTEGER NOT NULL,
    puzzle_id    TEXT NOT NULL REFERENCES puzzles (id),
    at           INTEGER NOT NULL,
    win          BOOLEAN NOT NULL,
    first        BOOLEAN NOT NULL,
    rated        BOOLEAN NOT NULL,
    rating       INTEGER NOT NULL,
    rating_diff  INTEGER NOT NULL,
    puzzle_after INTEGER NOT NULL,
    moves        TEXT NOT NULL,
    action_id    TEXT NOT NULL,
    PRIMARY KEY (account_id, nr)
) WITHOUT ROWID;
CREATE INDEX puzzle_attempts_puzzle ON puzzle_attempts (account_id, puzzle_id);
CREATE INDEX puzzle_attempts_at ON puzzle_attempts (account_id, at);
CREATE UNIQUE INDEX puzzle_attempts_action_id ON puzzle_attempts (account_id, action_id) WHERE action_id <> '';

CREATE TABLE current_puzzles (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    angle      TEXT NOT NULL,
    puzzle_id  TEXT NOT NULL REFERENCES puzzles (id),
    PRIMARY KEY (account_id, angle)
) WITHOUT ROWID;

CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE heartbeat (
    id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
);
