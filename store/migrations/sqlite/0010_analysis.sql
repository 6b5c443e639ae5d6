-- +goose Up

-- What the engine was asked to look at, and what it thinks of positions.

CREATE TABLE analyses (
    id         TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    game_id    TEXT NOT NULL,
    variant    TEXT NOT NULL,
    fen        TEXT NOT NULL,
    moves      TEXT NOT NULL,
    nodes      INTEGER NOT NULL,
    lines      INTEGER NOT NULL,
    status     TEXT NOT NULL,
    created    INTEGER NOT NULL,
    alive      INTEGER NOT NULL,
    finished   INTEGER NOT NULL,
    done       INTEGER NOT NULL,
    total      INTEGER NOT NULL,
    result     TEXT NOT NULL,
    error      TEXT NOT NULL
);
CREATE UNIQUE INDEX analyses_game ON analyses (game_id) WHERE game_id <> '' AND status <> 'failed' AND status <> 'cancelled';
CREATE INDEX analyses_open ON analyses (created, id) WHERE finished = 0;
CREATE INDEX analyses_over ON analyses (finished) WHERE finished > 0 AND game_id = '';

CREATE TABLE evals (
    variant  TEXT NOT NULL,
    position TEXT NOT NULL,
    depth    INTEGER NOT NULL,
    nodes    INTEGER NOT NULL,
    lines    INTEGER NOT NULL,
    pvs      TEXT NOT NULL,
    created  INTEGER NOT NULL,
    PRIMARY KEY (variant, position)
);
CREATE INDEX evals_created ON evals (created);
