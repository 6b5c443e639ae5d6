-- +goose Up

-- Clocks with a delay, and with periods after the limit.

ALTER TABLE games ADD COLUMN clock_delay BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN byoyomi BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN periods BIGINT NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD COLUMN clock_delay BIGINT NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD COLUMN byoyomi BIGINT NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD COLUMN periods BIGINT NOT NULL DEFAULT 0;

-- What players declared between the moves: the number of plies before it, a
-- colon and the declaration with hyphens for blanks, separated by spaces.

ALTER TABLE games ADD COLUMN declared TEXT NOT NULL DEFAULT '';

-- Games with chance and with more than two players: the seed in hexadecimal
-- digits, and by seat the points and the places, separated by spaces.

ALTER TABLE games ADD COLUMN seed TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN points TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN places TEXT NOT NULL DEFAULT '';
