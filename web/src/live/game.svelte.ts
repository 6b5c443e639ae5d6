// One game as it is played: the state that the frames of the websocket add up to, and the actions of whoever looks.
import type { Scene } from "../board/scene";
import type { Away, ChatLine, Clock, EventFrame, GameFrame, NowFrame, Ply, Requests, Standing } from "./frames";
import { Refused, type Socket } from "./socket";

type Action = "move" | "chat" | "offer" | "abort" | "resign" | "claim" | "mute" | "conditional" | "rematch";

/** Folds an event into what was known of a game. Pure. */
export function fold(game: GameFrame, event: EventFrame): GameFrame {
  const known = { ...game, version: event.version };
  switch (event.kind) {
    case "skip":
      return known;
    case "chat":
      return event.chat ? { ...known, chat: [...game.chat, event.chat] } : known;
    case "rematch":
      return event.rematch === undefined ? known : { ...known, rematch: event.rematch };
    case "mute":
      return { ...known, muted: event.muted === true, chat: event.heard ?? [] };
    case "conditional":
      return { ...known, conditional: event.conditional ?? [] };
    default:
      return { ...stripped(known), ...standing(event), moves: moves(game.moves, event), scene: event.scene ?? game.scene };
  }
}

const replaced = ["winner", "reason", "clock", "drawOffer", "takeback", "ratingDiff", "abortable", "conditional", "out", "points", "places"] as const;

function stripped(game: GameFrame): GameFrame {
  const copy: Record<string, unknown> = { ...game };
  for (const field of replaced) delete copy[field];
  return copy as unknown as GameFrame;
}

function standing(event: EventFrame): Standing {
  const changed: Record<string, unknown> = {};
  for (const field of ["status", ...replaced] as const) if (event[field] !== undefined) changed[field] = event[field];
  return changed;
}

function moves(played: readonly Ply[], event: EventFrame): readonly Ply[] {
  if (event.kind === "move" && event.ply) return [...played, event.ply];
  if (event.plies !== undefined && event.plies < played.length) return played.slice(0, event.plies);
  return played;
}

export class LiveGame {
  readonly id: string;
  /** What is known, undefined until the server has told. */
  frame: GameFrame | undefined = $state.raw();
  /** Why the game cannot be shown. */
  missing: string | undefined = $state();
  /** Why the last action was refused. */
  refusal: string | undefined = $state();
  /** A move that has been sent and not answered yet. */
  sent: { readonly move: string; readonly path: readonly string[] } | undefined = $state.raw();

  readonly #socket: Socket;
  readonly #leave: () => void;

  constructor(socket: Socket, id: string, arrived: (event: EventFrame) => void = () => {}) {
    this.id = id;
    this.#socket = socket;
    this.#leave = socket.follow(id, {
      game: (frame) => {
        this.frame = frame;
        this.sent = undefined;
      },
      event: (event) => {
        if (!this.frame) return;
        this.frame = fold(this.frame, event);
        if (event.kind === "move" || event.kind === "declare" || event.kind === "takeback" || event.kind === "end") this.sent = undefined;
        arrived(event);
      },
      now: ({ clock, away }: NowFrame) => {
        if (!this.frame) return;
        const next = { ...this.frame, away: away ?? [] };
        this.frame = clock ? { ...next, clock } : next;
      },
      refused: ({ message }) => (this.missing = message),
    });
  }

  get seat(): number | undefined {
    return this.frame?.seat;
  }
  get playing(): boolean {
    return this.frame !== undefined && (this.frame.status === "started" || this.frame.status === "created");
  }
  get myTurn(): boolean {
    return this.playing && this.seat !== undefined && this.frame?.scene.turn === this.seat && this.sent === undefined;
  }
  get scene(): Scene | undefined {
    return this.frame?.scene;
  }
  get clock(): Clock | undefined {
    return this.frame?.clock;
  }
  get chat(): readonly ChatLine[] {
    return this.frame?.chat ?? [];
  }
  /** The opponent's absence, if there is one. */
  get opponentAway(): Away | undefined {
    return this.frame?.away?.find(({ seat }) => this.seat !== undefined && seat !== this.seat);
  }

  async move(move: string, path: readonly string[]): Promise<void> {
    this.sent = { move, path };
    await this.act("move", { game: this.id, move });
  }

  /** Does something in the game; a refusal is kept to be shown. */
  async act<T extends Action>(t: T, d: Requests[T]): Promise<void> {
    this.refusal = undefined;
    try {
      await this.#socket.request(t, d);
    } catch (error) {
      if (t === "move") this.sent = undefined;
      this.refusal = error instanceof Refused ? error.message : "The connection was lost before the server answered.";
    }
  }

  /** Shows why something that is no action of the socket was refused. */
  refuse(reason: string): void {
    this.refusal = reason;
  }

  close(): void {
    this.#leave();
  }
}
