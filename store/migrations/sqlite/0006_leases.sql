-- +goose Up
-- Who serves which part of the games, by the database's clock. Row 256 is the leader's.
CREATE TABLE leases (
  shard   integer NOT NULL PRIMARY KEY,
  node    text    NOT NULL,
  epoch   integer NOT NULL,
  expires integer NOT NULL
);
INSERT INTO leases (shard, node, epoch, expires)
WITH RECURSIVE n (shard) AS (SELECT 0 UNION ALL SELECT shard + 1 FROM n WHERE shard < 256) SELECT shard, '', 0, 0 FROM n;

CREATE TABLE nodes (
  id      text    NOT NULL PRIMARY KEY,
  expires integer NOT NULL
);
