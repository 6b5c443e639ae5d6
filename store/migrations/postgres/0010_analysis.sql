-- +goose Up

-- What the engine was asked to look at, and what it thinks of positions.

CREATE TABLE analyses (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL,
    game_id    TEXT COLLATE "C" NOT NULL,
    variant    TEXT NOT NULL,
    fen        TEXT NOT NULL,
    moves      TEXT NOT NULL,
    nodes      BIGINT NOT NULL,
    lines      BIGINT NOT NULL,
    status     TEXT COLLATE "C" NOT NULL,
    created    BIGINT NOT NULL,
    alive      BIGINT NOT NULL,
    finished   BIGINT NOT NULL,
    done       BIGINT NOT NULL,
    total      BIGINT NOT NULL,
    result     TEXT NOT NULL,
    error      TEXT NOT NULL
);
CREATE UNIQUE INDEX analyses_game ON analyses (game_id) WHERE game_id <> '' AND status <> 'failed' AND status <> 'cancelled';
CREATE INDEX analyses_open ON analyses (created, id) WHERE finished = 0;
CREATE INDEX analyses_over ON analyses (finished) WHERE finished > 0 AND game_id = '';

CREATE TABLE evals (
    variant  TEXT COLLATE "C" NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    depth    BIGINT NOT NULL,
    nodes    BIGINT NOT NULL,
    lines    BIGINT NOT NULL,
    pvs      TEXT NOT NULL,
    created  BIGINT NOT NULL,
    PRIMARY KEY (variant, position)
);
CREATE INDEX evals_created ON evals (created);
