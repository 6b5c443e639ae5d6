-- +goose Up

-- What ratings were at the end of each day on which they changed; days count
-- from 1970-01-01.

CREATE TABLE rating_days (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    key        TEXT NOT NULL,
    day        INTEGER NOT NULL,
    rating     INTEGER NOT NULL,
    PRIMARY KEY (account_id, key, day)
) WITHOUT ROWID;

-- Leaderboards and ranks read only ratings that are sure enough.

DROP INDEX perfs_top;
CREATE INDEX perfs_ranked ON perfs (key, rating DESC, account_id) WHERE rd <= 75 AND games > 0;
