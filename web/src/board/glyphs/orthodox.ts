// The men of chess and of its nearest relatives.
import { plinth, type Glyph } from "./glyph";

export const orthodox: Readonly<Record<string, Glyph>> = {
  pawn: {
    body: ["M50 46q-11 8-17 29h34q-6-21-17-29z", "M36 48q0-5 14-5t14 5-14 5-14-5z", "M50 17a14 14 0 1 1 0 28 14 14 0 0 1 0-28z", plinth],
  },
  rook: {
    body: ["M35 44h30l3 31H32z", "M27 20h11v8h7v-8h10v8h7v-8h11v18l-8 7H35l-8-7z", plinth],
    lines: ["M36 45h28"],
  },
  bishop: {
    body: ["M50 22c-13 10-19 21-19 31 0 8 4 13 8 15h22c4-2 8-7 8-15 0-10-6-21-19-31z", "M50 10a6 6 0 1 1 0 12 6 6 0 0 1 0-12z", "M36 68h28v7H36z", plinth],
    lines: ["M50 36v20", "M41 46h18"],
  },
  knight: {
    body: ["M32 75c0-14 15-20 16-31-5 3-9 5-12 10-3 4-8 5-11 3-4-2-6-7-3-11l13-21c2-4 4-6 8-8l2-9 8 8c15 2 24 17 24 33 0 11-3 18-3 26z", plinth],
    lines: ["M43 31h1", "M61 29c6 7 8 17 6 30"],
  },
  queen: {
    body: [
      "M30 70 20 36l14 16 3-27 13 25 13-25 3 27 14-16-10 34z",
      "M20 27a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
      "M37 16a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
      "M63 16a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
      "M80 27a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
      "M32 68h36v7H32z",
      plinth,
    ],
  },
  king: {
    body: [
      "M46 8h8v7h7v8h-7v9h-8v-9h-7v-8h7z",
      "M50 34c4-7 11-9 17-8 9 1 15 9 13 18-2 10-10 15-13 26H33c-3-11-11-16-13-26-2-9 4-17 13-18 6-1 13 1 17 8z",
      "M32 68h36v7H32z",
      plinth,
    ],
    lines: ["M50 38v24"],
  },
  // The Spartans: a shield, a plumed helmet, crossed swords, a star and a double axe cannot be taken for one another.
  hoplite: {
    body: ["M50 16a32 32 0 1 1 0 64 32 32 0 0 1 0-64z", "M34 82h32l5 8H29z"],
    lines: ["M50 23a25 25 0 1 1 0 50 25 25 0 0 1 0-50z", "M37 64 50 33l13 31"],
  },
  captain: {
    body: [
      "M22 33C24 15 43 5 61 10c14 4 21 17 20 33l-9 1c0-11-5-19-14-22-12-3-23 2-27 13z",
      "M31 40c3-12 14-18 25-15 11 3 16 12 16 24v26H58l-2-12-9-4-2 16H33l-3-22z",
      plinth,
    ],
    lines: ["M36 47h18"],
  },
  lieutenant: {
    body: [
      "M19 12l14 4 43 47-7 7L22 27z",
      "M81 12l-14 4-43 47 7 7 47-43z",
      "M80 55l6 6-10 9 8 9-6 6-9-9-9 9-6-6z",
      "M20 55l-6 6 10 9-8 9 6 6 9-9 9 9 6-6z",
    ],
  },
  general: {
    body: ["M50 8l11 24 26 3-19 18 5 26-23-13-23 13 5-26-19-18 26-3z", "M32 78h36l8 12H24z"],
    lines: ["M50 30l5 11 12 1-9 8 3 12-11-6-11 6 3-12-9-8 12-1z"],
  },
  warlord: {
    body: [
      "M46 10h8v80h-8z",
      "M46 24C36 22 27 16 22 9c-9 16-9 34 0 50 5-7 14-13 24-15z",
      "M54 24c10-2 19-8 24-15 9 16 9 34 0 50-5-7-14-13-24-15z",
      "M38 80h24v10H38z",
    ],
  },
  // S-chess: a bird and an elephant.
  hawk: {
    body: ["M50 22c5-9 14-9 18-3l9 5-10 5c-2 8 4 10 17 5-2 14-9 23-21 27l5 14H32l5-14C25 57 18 48 16 34c13 5 24 2 34-12z", plinth],
    lines: ["M62 22h1", "M26 42c6 5 13 6 20 4", "M74 42c-6 5-11 6-17 4"],
  },
  elephant: {
    body: [
      "M30 26c8-11 32-11 40 0 9-2 16 4 17 14 0 12-6 20-16 20-2 7-5 11-10 13 0 7 5 9 10 6l3 7c-10 6-22 1-23-12-12-2-20-7-23-14-9-1-15-9-15-20 1-10 8-16 17-14z",
      "M30 73l13 3-9 12z",
    ],
    lines: ["M33 31c-5 9-4 19 2 27", "M67 31c5 9 4 19-2 27", "M43 42h1", "M57 42h1"],
  },
  // Two men in one are drawn as both.
  archbishop: { parts: [["bishop", "translate(-13 3) scale(0.94)"], ["knight", "translate(33 17) scale(0.76)"]] },
  chancellor: { parts: [["rook", "translate(-13 3) scale(0.94)"], ["knight", "translate(33 17) scale(0.76)"]] },
  amazon: { parts: [["queen", "translate(-13 3) scale(0.94)"], ["knight", "translate(33 17) scale(0.76)"]] },
  "dragon king": {
    body: ["M35 50h30l3 27H32z", "M27 30h11v7h7v-7h10v7h7v-7h11v16l-8 7H35l-8-7z", "M50 4l5 9 10-1-6 8 5 9-10-3-8 6 1-10-9-5 10-3z", plinth],
    lines: ["M38 56l24 16", "M62 56 38 72"],
  },
  "dragon horse": {
    body: ["M50 26c-12 9-17 18-17 28 0 8 4 12 8 14h18c4-2 8-6 8-14 0-10-5-19-17-28z", "M50 6l5 9 10-1-6 8 5 9-10-3-8 6 1-10-9-5 10-3z", "M36 68h28v7H36z", "M22 44v18L9 53z", "M78 44v18l13-9z", plinth],
    lines: ["M50 40v20", "M42 50h16"],
  },
  mann: { body: ["M50 18a15 15 0 1 1 0 30 15 15 0 0 1 0-30z", "M25 76c0-17 10-26 25-26s25 9 25 26z", plinth] },
  prince: {
    body: ["M32 68 24 34l15 13 11-22 11 22 15-13-8 34z", "M50 14a6 6 0 1 1 0 12 6 6 0 0 1 0-12z", "M32 68h36v7H32z", plinth],
    lines: ["M40 60h20"],
  },
  "adventitious king": {
    body: ["M50 4l5 10h11l-8 7 3 11-11-6-11 6 3-11-8-7h11z", "M50 36c4-7 11-9 17-8 9 1 15 9 13 18-2 10-10 15-13 24H33c-3-9-11-14-13-24-2-9 4-17 13-18 6-1 13 1 17 8z", "M32 68h36v7H32z", plinth],
  },
  crown: { body: ["M16 80 8 30l22 20 20-34 20 34 22-20-8 50z"] },
  // Pawns of a round board show which way they go round.
  "clockwise pawn": { parts: [["pawn", ""]], body: ["M50 2c12 0 22 5 28 14l7-4 1 22-20-8 6-4C67 15 59 12 50 12z"] },
  "anticlockwise pawn": { parts: [["pawn", ""]], body: ["M50 2C38 2 28 7 22 16l-7-4-1 22 20-8-6-4c5-7 13-10 22-10z"] },
  "crowned pawn": { parts: [["pawn", "translate(3 8) scale(0.94)"], ["crown", "translate(32 -4) scale(0.36)"]] },
};
