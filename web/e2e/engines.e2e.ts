// An engine that runs elsewhere, on the analysis board and on the page of the account.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

test("the analysis board asks a lent engine", async () => {
  const owner = await site.visitor();
  await owner.signUp("Xenophon");
  const { page, context } = owner;
  const made = await context.request.post("/api/account/tokens", {
    data: { description: "provider", scopes: ["engine:read", "engine:write"] }, headers: { Origin: site.server.url },
  });
  const { token } = (await made.json()) as { token: string };
  const stop = site.server.lend(token, "The lent one");
  try {
    const known = async (): Promise<number> => ((await (await context.request.get("/api/external-engine")).json()) as unknown[]).length;
    await expect.poll(known, { timeout: 30_000 }).toBe(1);

    await page.goto("/analysis/spartan?moves=e2e4");
    const which = page.getByRole("combobox", { name: "Which engine" });
    await which.selectOption("The lent one");
    const asked = page.waitForRequest((request) => request.url().endsWith("/analyse"));
    await page.getByRole("checkbox", { name: "Engine" }).check();
    expect((await asked).postDataJSON()).toMatchObject({ work: { variant: "spartan", moves: ["e2e4"], multiPv: 2 } });
    const variations = page.locator(".lines button");
    await expect.poll(() => variations.count(), { timeout: 30_000 }).toBe(2);
    expect(await variations.first().textContent()).toMatch(/1… /);

    // A move of its line is played, and the next position is asked about.
    const again = page.waitForRequest((request) => request.url().endsWith("/analyse"));
    await variations.first().click();
    const { work } = (await again).postDataJSON() as { work: { moves: string[] } };
    expect(work.moves).toHaveLength(2);
    await expect.poll(() => variations.count(), { timeout: 30_000 }).toBe(2);

    await page.goto("/account#engines");
    const list = page.getByRole("list", { name: "External engines" });
    await expect.poll(() => list.textContent(), { timeout: 30_000 }).toMatch(/The lent one.*1 thread, 16 MiB/);
    await page.getByRole("button", { name: "Remove The lent one" }).click();
    await page.getByRole("button", { name: "Remove The lent one for good" }).click();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(0);
    expect(await known()).toBe(0);
  } finally {
    await stop();
  }

  // Without one there is nothing to choose.
  await page.goto("/analysis/spartan");
  await page.getByRole("checkbox", { name: "Engine" }).waitFor();
  expect(await page.getByRole("combobox", { name: "Which engine" }).count()).toBe(0);
});
