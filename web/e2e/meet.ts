// People who play each other.
import { expect } from "vitest";
import type { Site, Size, Visitor } from "./site";

/** Signs an account up and gives it settings. */
export async function settled(site: Site, name: string, settings: Record<string, unknown> = {}, size: Size = "desktop"): Promise<Visitor> {
  const visitor = await site.visitor(size);
  await visitor.signUp(name);
  const answer = await visitor.context.request.post("/api/account/preferences", { data: settings, headers: { Origin: site.server.url } });
  expect(answer.status(), await answer.text()).toBe(200);
  return visitor;
}

/** Has the first visitor, White, challenge the second and both look at the game. */
export async function pair(site: Site, white: Visitor, black: Visitor, terms: Record<string, unknown>): Promise<string> {
  const headers = { Origin: site.server.url };
  const made = await white.context.request.post(`/api/challenge/${black.name}`, { data: { color: "white", ...terms }, headers });
  const { id } = (await made.json()) as { id: string };
  expect((await black.context.request.post(`/api/challenge/${id}/accept`, { headers })).ok()).toBe(true);
  await Promise.all([white, black].map(({ page }) => page.goto(`/${id}`)));
  return id;
}

/** Two people in a game, the first of them White. */
export async function begin(site: Site, names: readonly [string, string], terms: Record<string, unknown>): Promise<readonly [Visitor, Visitor, string]> {
  const [white, black] = [await site.visitor(), await site.visitor("phone")];
  await white.signUp(names[0]);
  await black.signUp(names[1]);
  return [white, black, await pair(site, white, black, terms)];
}
