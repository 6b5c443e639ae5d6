-- +goose Up

-- What ratings were at the end of each day on which they changed; days count
-- from 1970-01-01.

CREATE TABLE rating_days (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    key        TEXT COLLATE "C" NOT NULL,
    day        BIGINT NOT NULL,
    rating     BIGINT NOT NULL,
    PRIMARY KEY (account_id, key, day)
);

-- Leaderboards and ranks read only ratings that are sure enough.

DROP INDEX perfs_top;
CREATE INDEX perfs_ranked ON perfs (key, rating DESC, account_id) WHERE rd <= 75 AND games > 0;
