-- +goose Up

-- What applications were granted: the codes of the authorization code flow, and
-- in the tokens that they are traded for, to whom they went.

ALTER TABLE tokens ADD COLUMN client_id TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN client_origin TEXT NOT NULL DEFAULT '';

CREATE TABLE auth_codes (
    hash          BYTEA NOT NULL PRIMARY KEY,
    account_id    TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    client_id     TEXT NOT NULL,
    client_origin TEXT NOT NULL,
    redirect_uri  TEXT NOT NULL,
    challenge     TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    created       BIGINT NOT NULL,
    expires       BIGINT NOT NULL,
    token_id      TEXT NOT NULL
);
CREATE INDEX auth_codes_expires ON auth_codes (expires);
