// What parts of the page do that ask the server one thing after another: who is busy, and what went wrong.
import { errorText } from "./api/client";
import { noProblems, problems, type Problems } from "./forms";

type Answer<T> = Promise<{ data?: T | undefined; error?: unknown }>;

export class Asking {
  busy = $state(false);
  wrong: Problems = $state(noProblems);
  done = $state("");

  /** Asks, and returns the answer; what goes wrong is told in wrong, by the labels of the fields. */
  async ask<T>(call: () => Answer<T>, labels: Readonly<Record<string, string>> = {}): Promise<{ data: T | undefined; ok: boolean }> {
    if (this.busy) return { data: undefined, ok: false };
    this.busy = true;
    this.wrong = noProblems;
    this.done = "";
    try {
      const { data, error } = await call();
      if (error === undefined) return { data, ok: true };
      this.wrong = Object.keys(labels).length > 0 ? problems(error, labels) : { fields: {}, form: errorText(error) };
    } catch {
      this.wrong = { fields: {}, form: "The server cannot be reached. Please try again." };
    } finally {
      this.busy = false;
    }
    return { data: undefined, ok: false };
  }
}
