-- +goose Up

-- Who let whom in, what players complain of, and what has happened to
-- accounts.

ALTER TABLE accounts ADD COLUMN closed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN banned BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE accounts ADD COLUMN email_confirmed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX accounts_closed ON accounts (closed) WHERE closed <> 0;

CREATE TABLE invites (
    id         TEXT NOT NULL PRIMARY KEY,
    hash       BLOB NOT NULL,
    role       TEXT NOT NULL,
    note       TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created    INTEGER NOT NULL,
    expires    INTEGER NOT NULL,
    used_by    TEXT NOT NULL,
    used       INTEGER NOT NULL
);
CREATE UNIQUE INDEX invites_hash ON invites (hash);
CREATE INDEX invites_created ON invites (created);
-- Invitations stood here before; only the first administrator's was ever made.
DELETE FROM meta WHERE key LIKE 'invite/%' OR key = 'auth/first-admin';

CREATE TABLE reports (
    id          TEXT NOT NULL PRIMARY KEY,
    created     INTEGER NOT NULL,
    reporter_id TEXT NOT NULL REFERENCES accounts (id),
    accused_id  TEXT NOT NULL REFERENCES accounts (id),
    reason      TEXT NOT NULL,
    text        TEXT NOT NULL,
    game_id     TEXT NOT NULL,
    line        TEXT NOT NULL,
    resolved    INTEGER NOT NULL,
    resolved_by TEXT NOT NULL,
    note        TEXT NOT NULL
);
CREATE INDEX reports_accused ON reports (accused_id, id);
CREATE INDEX reports_open ON reports (id) WHERE resolved = 0;

-- The audit log. Rows are neither changed nor deleted: the database refuses
-- it to everybody who does not first drop the triggers.
CREATE TABLE audit_events (
    id         TEXT NOT NULL PRIMARY KEY,
    at         INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    account_id TEXT NOT NULL,
    actor      TEXT NOT NULL,
    ip         TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    detail     TEXT NOT NULL
);
CREATE INDEX audit_events_account ON audit_events (account_id, id);
CREATE INDEX audit_events_kind ON audit_events (kind, id);
-- +goose StatementBegin
CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_events_fixed BEFORE UPDATE ON audit_events
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
-- +goose StatementEnd

-- Codes that were sent by mail, or handed out by an administrator.
CREATE TABLE mail_codes (
    hash       BLOB NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    purpose    TEXT NOT NULL,
    email      TEXT NOT NULL,
    created    INTEGER NOT NULL,
    expires    INTEGER NOT NULL
);
CREATE INDEX mail_codes_account ON mail_codes (account_id);
CREATE INDEX mail_codes_expires ON mail_codes (expires);

-- The second factor of log-ins, and the codes that stand in for it.
CREATE TABLE second_factors (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    secret     TEXT NOT NULL,
    created    INTEGER NOT NULL,
    enabled    INTEGER NOT NULL,
    last_step  INTEGER NOT NULL
);

CREATE TABLE recovery_codes (
    hash       BLOB NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id)
);
CREATE INDEX recovery_codes_account ON recovery_codes (account_id);

-- Accounts at other providers that open one of ours.
CREATE TABLE linked_identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    label      TEXT NOT NULL,
    created    INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX linked_identities_account ON linked_identities (account_id);
