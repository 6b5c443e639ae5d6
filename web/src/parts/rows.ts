// The moves of a game in rows: one row for each round, with the plies of each turn in one place. Pure.
export interface Entry {
  readonly san: string;
  /** How many plies the game has after it. */
  readonly plies: number;
}

export interface Round {
  readonly number: number;
  /** The plies of the first player's turn, then those of the second's and so on; a turn may have several, or none. */
  readonly turns: readonly (readonly Entry[])[];
}

/** `turns` says whose each ply was; without it the players take turns, beginning with `first`. */
export function rounds(sans: readonly string[], first: number, turns?: readonly number[], seats = 2): readonly Round[] {
  const rows: { number: number; turns: Entry[][] }[] = [];
  let last = 0;
  sans.forEach((san, i) => {
    const turn = (turns?.[i] ?? first + i) % seats;
    if (rows.length === 0 || turn < last) rows.push({ number: rows.length + 1, turns: Array.from({ length: seats }, () => []) });
    rows.at(-1)?.turns[turn]?.push({ san, plies: i + 1 });
    last = turn;
  });
  return rows;
}
