-- +goose Up

-- Who follows and who blocks whom. The second index finds the other way round.

CREATE TABLE relations (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    other_id   TEXT NOT NULL REFERENCES accounts (id),
    block      BOOLEAN NOT NULL,
    since      INTEGER NOT NULL,
    PRIMARY KEY (account_id, other_id)
) WITHOUT ROWID;
CREATE INDEX relations_other ON relations (other_id, block, since, account_id);

-- What accounts write down about others for themselves.

CREATE TABLE notes (
    id      TEXT NOT NULL PRIMARY KEY,
    from_id TEXT NOT NULL REFERENCES accounts (id),
    to_id   TEXT NOT NULL REFERENCES accounts (id),
    text    TEXT NOT NULL,
    at      INTEGER NOT NULL
);
CREATE INDEX notes_from ON notes (from_id, to_id, at);
