// Which picture a man gets. It is found by his name, by his movement where that names a man, or not at all: then a disc
// with his letter shows the ways that he goes, taken from the served diagram. A game that is added later needs no change
// here.
import { drawn } from "./glyphs";

/** How a man looks in international style. */
export interface Figure {
  /** The name of his picture; without one he is a disc with his letter. */
  readonly glyph?: string;
  /** The name of a small picture beside it: what a pawn becomes, or what a promoted man was. */
  readonly badge?: string;
  readonly promoted?: boolean;
  /** How many small marks he bears. */
  readonly marks?: number;
  /** The ways that he goes, for a disc. */
  readonly ways?: readonly Way[];
}

/** A direction on the unturned board, in degrees from the right clockwise, and how far it leads. */
export interface Way {
  readonly angle: number;
  readonly how: "step" | "leap" | "slide";
}

/** What a definition says of a man: enough to name and to draw him. */
export interface Piece {
  readonly letter: string;
  readonly name: string;
  readonly betza?: string;
  readonly royal?: boolean;
  readonly sides?: readonly string[];
  readonly diagrams?: readonly { readonly side: string; readonly cell: string; readonly reach: readonly Reached[] }[];
}
interface Reached {
  readonly cell: string;
  readonly how: string;
}

/** Movements that name a man wherever he comes from, in Betza's notation. */
const movements: Readonly<Record<string, string>> = {
  K: "mann", Q: "queen", RB: "queen", BR: "queen", R: "rook", B: "bishop", N: "knight", BN: "archbishop", NB: "archbishop",
  RN: "chancellor", NR: "chancellor", F: "ferz", A: "elephant", W: "vizier", D: "dabbaba", C: "camel", L: "camel",
  FfW: "silver", fWF: "silver", WfF: "gold", fFW: "gold", RF: "dragon king", FR: "dragon king", BW: "dragon horse", WB: "dragon horse",
  QN: "amazon", NQ: "amazon", fR: "lance", fN: "knight", nN: "knight", nA: "elephant", fW: "pawn", mfWcfF: "pawn", fmWfcF: "pawn",
};

/** Pawns of chess, whatever else their movement says. */
const pawnLike = /^(?:mfW|fmW)(?:cfF|fcF|fceF|cefF)/;

/** Names for men that have a picture under another name. */
const aliases: Readonly<Record<string, string>> = {
  horse: "knight", chariot: "rook", soldier: "pawn", adviser: "advisor", guard: "advisor", "gold general": "gold",
  "silver general": "silver", "copper general": "copper", marshal: "chancellor", cardinal: "archbishop", boat: "rook",
  "free king": "queen", fil: "elephant", alfil: "elephant", "war engine": "dabbaba", counsellor: "ferz", mantri: "ferz",
  talia: "picket", tokin: "gold", kylin: "kirin", "drunken elephant": "drunk elephant", "crown prince": "prince",
  "ferocious leopard": "leopard", "blind tiger": "tiger", dragon: "dragon king", immobiliser: "immobilizer",
  "pincer pawn": "pincer", leaper: "long leaper",
};

/** Royal men that do not look like a king. */
const ownCrown: ReadonlySet<string> = new Set(["king", "prince", "adventitious king"]);
const crowned: ReadonlySet<string> = new Set(["phoenix"]);

/** A token in parts: `+` before the letter, then `'` for each stage, then `~` for a man promoted from a pawn. */
export function parts(token: string): { plus: boolean; base: string; marks: number; tilde: boolean } {
  const [, plus = "", base = token, marks = "", tilde = ""] = /^(\+?)(.*?)('*)(~?)$/.exec(token) ?? [];
  return { plus: plus !== "", base, marks: marks.length, tilde: tilde !== "" };
}

/** The man of a token: the one of that very token, or the one that it is a form of. */
export function pieceOf(pieces: ReadonlyMap<string, Piece>, token: string): Piece | undefined {
  const { plus, base, marks } = parts(token);
  const stage = "'".repeat(marks);
  return pieces.get(token) ?? (plus ? pieces.get(`+${base}${stage}`) ?? pieces.get(`+${base}`) : undefined)
    ?? pieces.get(base + stage) ?? pieces.get(base);
}

function glyphOf(piece: Piece): string | undefined {
  const name = piece.name.toLowerCase();
  if (piece.royal) return ownCrown.has(name) || crowned.has(name) ? name : "king";
  const known = (key: string | undefined): string | undefined => (key !== undefined && drawn(key) ? key : undefined);
  const [, said = name] = /^(?:promoted |crowned )?(.*)$/.exec(name) ?? [];
  return known(name) ?? known(aliases[name]) ?? known(movements[piece.betza ?? ""])
    ?? (pawnLike.test(piece.betza ?? "") ? "pawn" : undefined) ?? known(said) ?? known(aliases[said])
    ?? known(said.split(" ").at(-1)) ?? known(/^pawn\b/.exec(said)?.[0]);
}

/** How the man of a token looks; `ways` come from a caller that knows the board. */
export function figureOf(pieces: ReadonlyMap<string, Piece>, token: string, ways: readonly Way[] = []): Figure {
  const piece = pieceOf(pieces, token);
  const { plus, base, marks, tilde } = parts(token);
  const origin = pieces.get(base);
  const glyph = piece && glyphOf(piece);
  const from = origin && origin !== piece ? glyphOf(origin) : undefined;
  const figure = { ...(glyph === undefined ? { ways } : { glyph }), ...(plus || tilde ? { promoted: true } : {}) };
  if (piece?.royal && crowned.has(glyph ?? "")) return { ...figure, badge: "crown" };
  // The pawn of another man shows whose; a pawn's own stages are counted.
  if (marks > 0) return from !== undefined && from !== "pawn" ? { glyph: "pawn", badge: from } : { ...figure, marks };
  if (plus && from !== undefined && from !== glyph) return { ...figure, badge: from };
  return figure;
}

/** The ways of a served diagram, for cells with these centres. */
export function waysOf(
  diagram: NonNullable<Piece["diagrams"]>[number],
  centres: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): readonly Way[] {
  const home = centres.get(diagram.cell);
  if (!home) return [];
  const found = new Map<string, Way>();
  for (const { cell, how } of diagram.reach) {
    const at = centres.get(cell);
    if (!at || at === home) continue;
    const angle = Math.round((Math.atan2(at.y - home.y, at.x - home.x) * 180) / Math.PI);
    const near = Math.hypot(at.x - home.x, at.y - home.y) < 1.6;
    const kind = how === "slide" || how === "hop" || how === "pace" ? "slide" : how === "leap" && !near ? "leap" : "step";
    // Of a slide, the first cell is a step in a diagram that lists both.
    if (kind === "step" && found.has(`${angle} slide`)) continue;
    if (kind === "slide") found.delete(`${angle} step`);
    found.set(`${angle} ${kind}`, { angle, how: kind });
  }
  return [...found.values()];
}
