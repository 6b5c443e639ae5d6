-- +goose Up

-- Games that were played elsewhere, and games that somebody wants to find
-- again. What a challenge says comes into the chat of its game.

CREATE TABLE imports (
    game_id    TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id),
    account_id TEXT COLLATE "C" NOT NULL,
    hash       TEXT COLLATE "C" NOT NULL,
    date       TEXT NOT NULL,
    created    BIGINT NOT NULL
);
CREATE UNIQUE INDEX imports_hash ON imports (hash);
CREATE INDEX imports_account ON imports (account_id, created, game_id) WHERE account_id <> '';

CREATE TABLE bookmarks (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    game_id    TEXT COLLATE "C" NOT NULL REFERENCES games (id),
    created    BIGINT NOT NULL,
    PRIMARY KEY (account_id, game_id)
);
CREATE INDEX bookmarks_created ON bookmarks (account_id, created, game_id);

ALTER TABLE challenges ADD COLUMN message TEXT NOT NULL DEFAULT '';
