-- +goose Up
-- Who serves which part of the games, by the database's clock. Row 256 is the leader's.
CREATE TABLE leases (
  shard   bigint PRIMARY KEY,
  node    text   NOT NULL,
  epoch   bigint NOT NULL,
  expires bigint NOT NULL
);
INSERT INTO leases (shard, node, epoch, expires) SELECT n, '', 0, 0 FROM generate_series(0, 256) AS n;

CREATE TABLE nodes (
  id      text   PRIMARY KEY,
  expires bigint NOT NULL
);
