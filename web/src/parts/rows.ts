// The moves of a game in rows: one row for each round, with the plies of each turn in one place. Pure.
export interface Entry {
  readonly san: string;
  /** How many plies the game has after it. */
  readonly plies: number;
}

export interface Round {
  readonly number: number;
  /** The plies of the first player's turn, then those of the second's; a turn may have several. */
  readonly turns: readonly [readonly Entry[], readonly Entry[]];
}

/** `turns` says whose each ply was; without it the players take turns, beginning with `first`. */
export function rounds(sans: readonly string[], first: number, turns?: readonly number[]): readonly Round[] {
  const rows: { number: number; turns: [Entry[], Entry[]] }[] = [];
  let last = 1;
  sans.forEach((san, i) => {
    const turn = (turns?.[i] ?? first + i) % 2;
    if (rows.length === 0 || (turn === 0 && last === 1)) rows.push({ number: rows.length + 1, turns: [[], []] });
    rows.at(-1)?.turns[turn as 0 | 1].push({ san, plies: i + 1 });
    last = turn;
  });
  return rows;
}
