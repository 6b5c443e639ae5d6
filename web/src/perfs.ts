// The names of ratings: a speed of chess, a game at every speed, either of them against bots, and puzzles of a game.
const speeds: Readonly<Record<string, string>> = {
  ultraBullet: "UltraBullet", bullet: "Bullet", blitz: "Blitz", rapid: "Rapid", classical: "Classical",
  correspondence: "Correspondence", puzzle: "Puzzles",
};

/** A rating in words. The games' names come from the server. */
export function perfName(key: string, games: ReadonlyMap<string, string>): string {
  const [, pool = "", perf = key] = /^(bots|puzzle)\/(.+)$/.exec(key) ?? [];
  const name = speeds[perf] ?? games.get(perf) ?? perf;
  return pool === "bots" ? `${name} against bots` : pool === "puzzle" ? `${name} puzzles` : name;
}
