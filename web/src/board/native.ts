// How men look where their game comes from: discs, octagons and wedges with characters. The definition of a game says
// which set fits; the characters are found by the men's letters or names, which are those of the family.
import type { Piece } from "./figures";

export type NativeSet = "xiangqi" | "janggi" | "shogi";

/** A man in native style. */
export interface NativeSign {
  readonly shape: "disc" | "octagon" | "wedge";
  /** The characters, or a letter where the set has none. */
  readonly text: string;
  /** Promoted men are written in red. */
  readonly promoted: boolean;
}

/** By letter: the first player's character, then the second's. */
const chinese: Readonly<Record<string, string>> = { K: "帥將", A: "仕士", B: "相象", N: "傌馬", R: "俥車", C: "炮砲", P: "兵卒" };
const korean: Readonly<Record<string, string>> = { K: "楚漢", A: "士士", B: "象象", N: "馬馬", R: "車車", C: "包包", P: "卒兵" };

/** By name. */
const japanese: Readonly<Record<string, string>> = {
  king: "玉", rook: "飛", bishop: "角", gold: "金", silver: "銀", knight: "桂", lance: "香", pawn: "歩", tokin: "と",
  "promoted pawn": "と", "promoted lance": "杏", "promoted knight": "圭", "promoted silver": "全", dragon: "龍", horse: "馬",
  "dragon king": "龍", "dragon horse": "馬", copper: "銅", "ferocious leopard": "豹", leopard: "豹", "blind tiger": "虎", tiger: "虎",
  "drunk elephant": "酔", prince: "太", "crown prince": "太", "flying stag": "鹿", "go-between": "仲", "white horse": "駒",
  "reverse chariot": "反", whale: "鯨", "side mover": "横", "free boar": "猪", "vertical mover": "竪", "flying ox": "牛",
  queen: "奔", "free king": "奔", lion: "獅", kirin: "麒", phoenix: "鳳", "horned falcon": "角鷹", "soaring eagle": "飛鷲",
  falcon: "鷹", eagle: "鵰", crane: "鶴", pheasant: "雉", "left quail": "鶉", "right quail": "鶉", quail: "鶉", swallow: "燕", goose: "鴈",
};
const japaneseRoyal: Readonly<Record<string, string>> = { phoenix: "鵬", prince: "太", "crown prince": "太" };

/** The sign of a man, or undefined where the set has none. */
export function nativeOf(set: NativeSet | undefined, token: string, piece: Piece | undefined, side: number): NativeSign | undefined {
  if (set === undefined || piece === undefined || side < 0) return undefined;
  const promoted = token.startsWith("+");
  if (set === "shogi") {
    const name = piece.name.toLowerCase().replace(/ general$/, "");
    const royal = piece.royal ? (japaneseRoyal[name] ?? (side === 0 ? "玉" : "王")) : undefined;
    const text = royal ?? japanese[name] ?? (promoted ? japanese[name.replace(/^promoted /, "")] : undefined);
    return { shape: "wedge", text: text ?? token, promoted };
  }
  const [first, second] = (set === "xiangqi" ? chinese : korean)[token] ?? "";
  const text = side === 0 ? first : second;
  return { shape: set === "xiangqi" ? "disc" : "octagon", text: text ?? token, promoted };
}
