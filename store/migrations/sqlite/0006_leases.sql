-- +goose Up
-- Who serves which part of the games, by the database's clock. Row 256 is the leader's. A row that is missing has never been taken.
CREATE TABLE leases (
  shard   integer NOT NULL PRIMARY KEY,
  node    text    NOT NULL,
  epoch   integer NOT NULL,
  expires integer NOT NULL
);

CREATE TABLE nodes (
  id      text    NOT NULL PRIMARY KEY,
  expires integer NOT NULL
);
