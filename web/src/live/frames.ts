// The frames of the websocket protocol hoplite.v1. They are described in openapi/asyncapi.yaml; package openapi/frames has
// them as Go types, with the meaning of every field.
import type { Scene } from "../board/scene";
import type { components } from "../api/types.gen";

export const PROTOCOL = "hoplite.v1";
export const PATH = "/api/ws";

/** The codes with which the server closes a socket for good: connecting again as before would not help. */
export const CLOSE_REVOKED = 4001;

export interface Account { readonly id: string; readonly name: string; readonly title?: string }
export interface Variant { readonly key: string; readonly name: string; readonly short: string }
export interface Player {
  readonly id?: string; readonly name: string; readonly title?: string; readonly rating?: number;
  readonly provisional?: boolean; readonly ai?: number;
}
export interface Control {
  readonly type: "clock" | "correspondence" | "unlimited";
  readonly limit?: number; readonly increment?: number; readonly days?: number;
  /** Milliseconds of each move in which the clock does not run down. */
  readonly delay?: number;
  /** The length of a period, and how many follow the limit. */
  readonly byoyomi?: number; readonly periods?: number;
}
/** What is left of the limit or of the present period, and how many periods follow. */
export interface Clock { readonly left: readonly number[]; readonly periods?: readonly number[]; readonly running: boolean; readonly from: number; readonly startBy?: number }
export interface Ply { readonly m: string; readonly san: string }
export interface ChatLine { readonly room: "player" | "spectator"; readonly user?: string; readonly text: string; readonly at: number }
export interface Away { readonly seat: number; readonly claimAt?: number }

/** What changes in the course of a game; an event replaces all of it, absent fields too. */
export interface Standing {
  readonly status?: string; readonly winner?: number; readonly reason?: string; readonly clock?: Clock;
  readonly drawOffer?: readonly number[]; readonly takeback?: readonly number[]; readonly ratingDiff?: readonly (number | null)[];
  /** The players may still abort the game. */
  readonly abortable?: boolean;
  /** Of a game of more than two: the seats that are out, what each has scored, and at the end how they came out. */
  readonly out?: readonly number[]; readonly points?: readonly number[]; readonly places?: readonly number[];
  /** What the reader has said beforehand that it would play: lines of moves from the present position. */
  readonly conditional?: readonly string[];
}

export interface GameFrame extends Standing {
  readonly game: string; readonly version: number; readonly seat?: number; readonly variant: Variant; readonly initialFen: string;
  readonly players: readonly Player[]; readonly control: Control; readonly speed: string; readonly perf: string;
  readonly rated: boolean; readonly source: string; readonly rules?: readonly string[]; readonly created: number;
  readonly moves: readonly Ply[]; readonly clocks?: readonly number[]; readonly away?: readonly Away[];
  readonly rematchOf?: string; readonly rematch?: string; readonly chat: readonly ChatLine[]; readonly scene: Scene;
  /** The reader does not hear the others. */
  readonly muted?: boolean;
}

export type EventKind =
  | "move" | "declare" | "retire" | "drawOffer" | "drawDecline" | "takebackOffer" | "takebackDecline" | "takeback" | "addTime" | "startClocks"
  | "end" | "chat" | "rematch" | "mute" | "conditional" | "skip";

export interface EventFrame extends Standing {
  readonly game: string; readonly version: number; readonly kind: EventKind; readonly seat?: number; readonly at?: number;
  readonly ply?: Ply; readonly plies?: number; readonly seconds?: number; readonly chat?: ChatLine; readonly rematch?: string;
  readonly scene?: Scene;
  /** With "mute": whether the reader hears nobody, and the chat as it has it from now on. */
  readonly muted?: boolean; readonly heard?: readonly ChatLine[];
}

export interface NowFrame { readonly game: string; readonly version: number; readonly clock?: Clock; readonly away?: readonly Away[] }

export interface Seek {
  readonly id: string; readonly player: Player; readonly variant: Variant; readonly control: Control; readonly speed: string;
  readonly rated: boolean; readonly color: "white" | "black" | "random"; readonly min?: number; readonly max?: number;
  readonly created: number;
}

export interface MeFrame {
  readonly kind: "all" | "gameStart" | "gameFinish" | "challenge" | "challengeCanceled" | "challengeDeclined";
  readonly game?: components["schemas"]["GameInfo"]; readonly challenge?: components["schemas"]["Challenge"];
  readonly games?: readonly components["schemas"]["GameInfo"][]; readonly challenges?: readonly components["schemas"]["Challenge"][];
}

/** A channel of TV with its game, and the strongest player in it. */
export interface TVChannel {
  readonly channel: string; readonly name: string; readonly game: string; readonly player: Player; readonly seat: number;
  /** How many games run on it, as far as TV counts them. */
  readonly games: number;
}

export interface Ack {
  readonly version?: number; readonly note?: string; readonly account?: Account; readonly seek?: string; readonly game?: string;
  readonly started?: boolean;
}
export interface Err { readonly code: string; readonly error: string; readonly fields?: Readonly<Record<string, readonly string[]>>; readonly retry?: number }

/** A notice from those who run the server; the date is when what it says happens. */
export interface Announcement { readonly msg: string; readonly date: number }

/** What the server sends. */
export type ServerFrame =
  | { readonly t: "hello"; readonly d: { readonly time: number; readonly account: Account | null; readonly limits: { readonly keepAlive: number } } }
  | { readonly t: "ack"; readonly id: number; readonly d?: Ack }
  | { readonly t: "err"; readonly id?: number; readonly d: Err }
  | { readonly t: "game"; readonly d: GameFrame }
  | { readonly t: "event"; readonly d: EventFrame }
  | { readonly t: "now"; readonly d: NowFrame }
  | { readonly t: "resync"; readonly d: { readonly game: string } }
  | { readonly t: "live"; readonly d: { readonly time: number; readonly lag?: number; readonly games: Readonly<Record<string, number>> } }
  | { readonly t: "lobby"; readonly d: { readonly seeks: readonly Seek[] } }
  | { readonly t: "seek+"; readonly d: Seek }
  | { readonly t: "seek-"; readonly d: { readonly id: string } }
  | { readonly t: "me"; readonly d: MeFrame }
  | { readonly t: "tv"; readonly d: { readonly channels: readonly TVChannel[] } }
  | { readonly t: "pong"; readonly d: { readonly time: number } }
  | { readonly t: "announce"; readonly d: Announcement }
  | { readonly t: "bye"; readonly d: { readonly code: number; readonly reason: string } };

/** What the client asks for, by type of frame. Those in Keyed act once however often they are sent. */
export interface Requests {
  move: { game: string; move: string; draw?: boolean };
  chat: { game: string; room?: "player" | "spectator"; text: string };
  offer: { game: string; kind: "draw" | "takeback"; accept: boolean };
  abort: { game: string };
  resign: { game: string };
  /** Of a game left by the opponent "victory" or "draw", else one of the declarations that the scene lists. */
  claim: { game: string; kind: string };
  mute: { game: string; on: boolean };
  conditional: { game: string; lines: readonly string[] };
  /** To a user by name, or a level of the engine, or open to whoever knows its id, which comes back as the game. */
  challenge: {
    user?: string; level?: number; variant?: string; fen?: string; limit?: number; increment?: number; delay?: number; byoyomi?: number; periods?: number;
    days?: number; rated?: boolean; color?: "white" | "black" | "random"; rules?: readonly string[]; message?: string;
  };
  answer: { challenge: string; accept: boolean; color?: "white" | "black" | "random"; reason?: string };
  cancel: { challenge: string };
  rematch: { game: string; accept: boolean };
  seek: {
    variant?: string; limit?: number; increment?: number; delay?: number; byoyomi?: number; periods?: number; days?: number; rated?: boolean; color?: "white" | "black" | "random";
    min?: number; max?: number; quick?: boolean;
  };
  unseek: { seek?: string };
  join: { seek: string };
}
export type Keyed = "move" | "chat" | "offer" | "abort" | "resign" | "claim" | "mute" | "conditional";
