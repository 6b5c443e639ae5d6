// The game on this device, kept in the browser's tab so that a reload does not lose it.
import type { Line } from "../engine/protocol";
import type { Countdown } from "./countdown";

export interface KeptGame {
  readonly line: Line;
  readonly botSeat?: number;
  readonly level: number;
  readonly turning: boolean;
  /** With nothing running: nobody pays for a reload. */
  readonly clock?: Countdown;
  readonly ended?: { readonly result: string; readonly text: string };
}

interface Stored extends KeptGame {
  readonly from: string | null;
}

const place = (key: string): string => `hoplite.device.${key}`;

/** The game that was played under a key and an address with this position, if there is one. */
export function keptGame(key: string, from: string | undefined, storage: Pick<Storage, "getItem"> = sessionStorage): KeptGame | undefined {
  try {
    const kept = JSON.parse(storage.getItem(place(key)) ?? "null") as Stored | null;
    const fits = kept !== null && kept.from === (from ?? null) && kept.line.key === key && Array.isArray(kept.line.moves);
    return fits ? kept : undefined;
  } catch {
    return undefined; // nothing of ours
  }
}

export function keepGame(key: string, from: string | undefined, game: KeptGame, storage: Pick<Storage, "setItem"> = sessionStorage): void {
  try {
    storage.setItem(place(key), JSON.stringify({ ...game, from: from ?? null } satisfies Stored));
  } catch {
    // A browser that keeps nothing: the game lasts as long as the page.
  }
}
