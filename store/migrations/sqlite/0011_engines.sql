-- +goose Up

-- Chess programs that run elsewhere and that accounts let their clients ask.

CREATE TABLE external_engines (
    id            TEXT NOT NULL PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES accounts (id),
    name          TEXT NOT NULL,
    client_secret TEXT NOT NULL,
    provider      BLOB NOT NULL,
    max_threads   INTEGER NOT NULL,
    max_hash      INTEGER NOT NULL,
    variants      TEXT NOT NULL,
    data          TEXT NOT NULL,
    created       INTEGER NOT NULL
);
CREATE INDEX external_engines_account ON external_engines (account_id);
CREATE INDEX external_engines_provider ON external_engines (provider);
