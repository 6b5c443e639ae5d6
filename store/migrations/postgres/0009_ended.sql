-- +goose Up

-- What ended lately: another node may have died before it could say so.

CREATE INDEX games_ended ON games (last_move, id) WHERE status >= 25;
