// The search for an opponent: what was asked for, and what has come of it so far.
import { api, errorText, type Schemas } from "../../api/client";
import { signPath } from "../../forms";
import { connection } from "../../live/connection.svelte";
import type { MeFrame, Requests } from "../../live/frames";
import { Lost } from "../../live/socket";
import { go } from "../../router";

export class Search {
  busy = $state(false);
  message = $state("");
  /** The address of an open challenge. */
  link = $state("");
  /** The clock that is looked for by quick pairing. */
  clock: string | undefined = $state();
  #waiting: { readonly kind: "seek" | "slow" | "challenge"; readonly id: string } | undefined = $state.raw();
  #left = false;
  readonly #signedIn: () => boolean;
  readonly #address: () => string;

  /** The address is that of the lobby with what has been chosen in it: whoever is not signed in comes back to it. */
  constructor(signedIn: () => boolean, address: () => string) {
    [this.#signedIn, this.#address] = [signedIn, address];
  }

  get waiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Whether a game that begins is what was asked for. */
  get expects(): boolean {
    return this.busy || this.waiting;
  }

  /** Looks for anybody. The game opens as soon as there is one. */
  seek(wanted: Requests["seek"], said: string, clock?: string): Promise<void> {
    return this.#ask(async () => {
      const { game } = await connection.socket.request("seek", wanted);
      if (game) {
        go(`/${game}`);
        return;
      }
      this.message = said;
      this.clock = clock;
      this.#waiting = { kind: wanted.days === undefined ? "seek" : "slow", id: "" };
      if (this.#left) this.leave();
    });
  }

  /** Joins somebody who looks for a game. */
  join(seek: string): Promise<void> {
    return this.#ask(async () => {
      const { game } = await connection.socket.request("join", { seek });
      if (game) go(`/${game}`);
    });
  }

  /** Asks somebody by name. Over the socket that waits as long as the page is open. */
  challenge(asked: Requests["challenge"] & { user: string }): Promise<void> {
    return this.#ask(async () => {
      const { game = "" } = await connection.socket.request("challenge", asked);
      this.#waiting = { kind: "challenge", id: game };
      this.message = `${asked.user} has been asked.`;
    });
  }

  /** Makes a challenge for whoever has its address. */
  open(fields: Record<string, unknown>): Promise<void> {
    return this.#ask(async () => {
      const { data, error } = await api.POST("/api/challenge/open", { body: fields as never });
      if (!data) throw new Error(errorText(error));
      const made = data as Schemas["Challenge"];
      this.link = made.url;
      this.#waiting = { kind: "challenge", id: made.id };
    });
  }

  /** Begins a game against a level of the engine. */
  engine(level: number, fields: Record<string, unknown>): Promise<void> {
    return this.#ask(async () => {
      const { data, error } = await api.POST("/api/challenge/ai", { body: { ...fields, rated: undefined, level } as never });
      if (!data) throw new Error(errorText(error));
      go(`/${data.id}`);
    });
  }

  answer(id: string, accept: boolean): Promise<void> {
    return this.#ask(async () => {
      const params = { params: { path: { challengeId: id } } };
      const { error } = accept
        ? await api.POST("/api/challenge/{challengeId}/accept", params)
        : await api.POST("/api/challenge/{challengeId}/decline", params);
      if (error) throw new Error(errorText(error));
      if (accept) go(`/${id}`);
    });
  }

  /** Hears that a challenge was declined. */
  declined({ id, declineReason }: NonNullable<MeFrame["challenge"]>): void {
    if (id !== this.#waiting?.id) return;
    this.#waiting = undefined;
    this.message = declineReason ?? "The challenge was declined.";
  }

  /** Takes back what was asked for. */
  async cancel(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = this.clock = undefined;
    [this.link, this.message] = ["", ""];
    if (waiting?.kind === "challenge") await api.POST("/api/challenge/{challengeId}/cancel", { params: { path: { challengeId: waiting.id } } });
    else if (waiting) await connection.socket.request("unseek", {}).catch(() => {});
  }

  /** Leaves the lobby: who does not look at it does not want a game at once. What may take days goes on. */
  leave(): void {
    this.#left = true;
    if (this.#waiting?.kind === "seek") void this.cancel();
  }

  async #ask(what: () => Promise<void>): Promise<void> {
    if (!this.#signedIn()) {
      go(signPath("/signup", this.#address()));
      return;
    }
    if (this.#waiting && this.#waiting.kind !== "slow") await this.cancel();
    [this.message, this.link, this.busy] = ["", "", true];
    try {
      await what();
    } catch (error) {
      this.message = error instanceof Lost || !(error instanceof Error) ? "The connection was lost. Please look whether your game has started." : error.message;
    } finally {
      this.busy = false;
    }
  }
}
