import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Ack } from "../../live/frames";
import { Search } from "./search.svelte";

const heard = vi.hoisted(() => ({ asked: [] as string[], gone: [] as string[], answer: (_: Ack): void => undefined }));
vi.mock("../../router", () => ({ go: (path: string) => void heard.gone.push(path) }));
vi.mock("../../live/connection.svelte", () => ({
  connection: {
    socket: {
      request: (t: string) => {
        heard.asked.push(t);
        return new Promise<Ack>((resolve) => (heard.answer = resolve));
      },
    },
  },
}));

const clock = { variant: "standard", limit: 300, increment: 3 };
beforeEach(() => void ([heard.asked, heard.gone] = [[], []]));

describe("a search", () => {
  it("sends those who are not signed in to sign up, and back", async () => {
    await new Search(() => false, () => "/lobby?variant=standard").seek(clock, "", "5+3");
    expect([heard.asked, heard.gone]).toEqual([[], ["/signup?next=%2Flobby%3Fvariant%3Dstandard"]]);
  });

  it("ends with the lobby, even if the server answers only then", async () => {
    for (const late of [false, true]) {
      heard.asked = [];
      const search = new Search(() => true, () => "/lobby");
      const sought = search.seek(clock, "", "5+3");
      if (late) search.leave();
      heard.answer({});
      await sought;
      if (!late) search.leave();
      expect(heard.asked, late ? "late" : "in time").toEqual(["seek", "unseek"]);
    }
  });

  it("goes on without the lobby if it may take days", async () => {
    const search = new Search(() => true, () => "/lobby");
    const sought = search.seek({ variant: "standard", days: 2 }, "");
    search.leave();
    heard.answer({});
    await sought;
    expect([heard.asked, search.waiting]).toEqual([["seek"], true]);
  });
});
