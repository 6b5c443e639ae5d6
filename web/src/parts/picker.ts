// Finding a game in a long list. Pure.
interface Listed {
  readonly key: string;
  readonly name: string;
  readonly category: string;
}

/** Letters and digits only, without accents, so that spelling does not matter. */
function plain(text: string): string {
  return text.normalize("NFD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The games whose name, key or category holds all the words. Those whose name begins with the words come first. */
export function found<T extends Listed>(games: readonly T[], wanted: string): readonly T[] {
  const words = wanted.split(/\s+/).map(plain).filter((word) => word !== "");
  const fitting = games.filter(({ key, name, category }) => words.every((word) => [key, name, category].some((text) => plain(text).includes(word))));
  const begins = (game: T): boolean => plain(game.name).startsWith(words.join(""));
  return words.length === 0 ? games : [...fitting.filter(begins), ...fitting.filter((game) => !begins(game))];
}

/** The games by category, in the order in which they come. */
export function grouped<T extends Listed>(games: readonly T[]): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const game of games) groups.set(game.category, [...(groups.get(game.category) ?? []), game]);
  return [...groups];
}
