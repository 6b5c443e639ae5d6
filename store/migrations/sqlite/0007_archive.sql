-- +goose Up

-- Games that were played elsewhere, and games that somebody wants to find
-- again. What a challenge says comes into the chat of its game.

CREATE TABLE imports (
    game_id    TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    account_id TEXT NOT NULL,
    hash       TEXT NOT NULL,
    date       TEXT NOT NULL,
    created    INTEGER NOT NULL
);
CREATE UNIQUE INDEX imports_hash ON imports (hash);
CREATE INDEX imports_account ON imports (account_id, created, game_id) WHERE account_id <> '';

CREATE TABLE bookmarks (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    game_id    TEXT NOT NULL REFERENCES games (id),
    created    INTEGER NOT NULL,
    PRIMARY KEY (account_id, game_id)
);
CREATE INDEX bookmarks_created ON bookmarks (account_id, created, game_id);

ALTER TABLE challenges ADD COLUMN message TEXT NOT NULL DEFAULT '';
