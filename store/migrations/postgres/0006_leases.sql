-- +goose Up
-- Who serves which part of the games, by the database's clock. Row 256 is the leader's. A row that is missing has never been taken.
CREATE TABLE leases (
  shard   bigint PRIMARY KEY,
  node    text   NOT NULL,
  epoch   bigint NOT NULL,
  expires bigint NOT NULL
);

CREATE TABLE nodes (
  id      text   PRIMARY KEY,
  expires bigint NOT NULL
);
