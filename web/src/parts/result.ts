// How the end of a game is told. Pure.
interface End {
  readonly status?: string;
  readonly winner?: number;
  readonly reason?: string;
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
  const { status, winner, reason } = end;
  if (status === undefined || status === "started" || status === "created") return undefined;
  const way = [ways[status] ?? "The game is over", (reason && reasons[reason]) ?? ""].filter((part) => part !== "").join(", ");
  if (status === "aborted") return way;
  return `${way} · ${winner === undefined ? "½–½" : `${armies[winner] ?? `Seat ${winner + 1}`} win`}`;
}
