// How the end of a game is told. Pure.
interface End {
  readonly status?: string;
  readonly winner?: number;
  readonly reason?: string;
  /** How the players of a game of more than two came out, by seat. */
  readonly places?: readonly number[];
}

const ways: Readonly<Record<string, string>> = {
  mate: "Checkmate",
  resign: "Resigned",
  stalemate: "Stalemate",
  timeout: "The opponent left",
  outoftime: "Time is up",
  draw: "Draw",
  aborted: "Aborted",
  noStart: "Nobody began",
  variantEnd: "The game's goal is reached",
};
const reasons: Readonly<Record<string, string>> = {
  agreed: "by agreement",
  repetition: "by repetition",
  clock: "no progress for too long",
  material: "nobody can win any more",
  noMove: "no legal move",
  claim: "by a claim",
  counting: "the count has run out",
  perpetual: "perpetual check or chase",
  points: "by points",
  bareKing: "a bare king",
  kingCaptured: "the king is taken",
  kingExploded: "the king has exploded",
  checks: "the last check",
  lastAlive: "the last army standing",
  extinct: "no man left",
  maxPlies: "the game is too long",
};

/** Such as "Checkmate · Spartans win", or undefined while the game goes on. */
export function resultText(end: End, armies: readonly string[]): string | undefined {
  const { status, winner, reason, places } = end;
  if (status === undefined || status === "started" || status === "created") return undefined;
  const way = [ways[status] ?? "The game is over", (reason && reasons[reason]) ?? ""].filter((part) => part !== "").join(", ");
  if (status === "aborted") return way;
  const first = winner === undefined ? (places ?? []).flatMap((place, seat) => (place === 1 ? [seat] : [])) : [winner];
  if (first.length > 1 && first.length === places?.length) return `${way} · shared by all`;
  const winners = first.map((seat) => armies[seat] ?? `Seat ${seat + 1}`).join(" and ");
  return `${way} · ${winners === "" ? "½–½" : `${winners} win`}`;
}
