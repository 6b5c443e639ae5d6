// Every page at desktop and phone size, in light and dark: nothing in the console, nothing that axe-core objects to,
// nothing wider than the window.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Site, sizes, type Size, type Visitor } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open("1")));
afterEach(() => site.leave());
afterAll(() => site?.close());

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const grant = new URLSearchParams({
  response_type: "code", client_id: "example.org", redirect_uri: "http://127.0.0.1:1/back", code_challenge_method: "S256",
  code_challenge: challenge, scope: "preference:read board:play", state: "s",
});

const open: readonly string[] = [
  "/", "/lobby", "/players", "/tv", "/paste", "/login", "/signup", "/account", "/nowhere", "/training", "/variant/spartan", "/variant/seirawan",
  "/play/spartan", "/play/seirawan", "/play/spartan28", "/analysis/standard", "/analysis/seirawan",
];
const closed: readonly string[] = ["/account", "/account/oauth/token/create", `/oauth?${grant}`, "/@/Visitor"];

async function look(visitor: Visitor, path: string): Promise<void> {
  const { page } = visitor;
  await page.goto(path);
  await page.locator("main h1").first().waitFor();
  if (/^\/(training|play|analysis|variant)(\/|$)/.test(path)) await page.locator("main svg [data-cell]").first().waitFor();
  await page.waitForLoadState("networkidle");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await visitor.faults(), `${path} in ${colorScheme}`).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path}: wider than the window`).toBeLessThanOrEqual(0);
}

describe.each(Object.keys(sizes) as Size[])("%s", (size) => {
  test.each(open)("%s for anybody", async (path) => {
    await look(await site.visitor(size), path);
  });

  test("pages for the signed-in, and a game", async () => {
    const visitor = await site.visitor(size);
    await visitor.signUp(`Visitor${size}`);
    for (const path of closed) await look(visitor, path.replace("Visitor", `Visitor${size}`));
    const answer = await visitor.context.request.post("/api/challenge/ai", {
      data: { level: 1, variant: "seirawan", color: "white" }, headers: { Origin: site.server.url },
    });
    const { id } = (await answer.json()) as { id: string };
    await look(visitor, `/${id}`);
  });
});
