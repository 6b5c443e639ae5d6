// Games by days with conditional moves, muting, zen, and the games that are on TV.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { click, expectMoves } from "./board";
import { begin } from "./meet";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

test("what a player has foreseen is played at once", async () => {
  const [{ page: white }, { page: black }] = await begin(site, ["Darius", "Dienekes"], { days: 3, variant: "standard" });
  await click(white, "e2", "e4");
  await white.getByRole("button", { name: "Send the move" }).click(); // as is usual in games by days
  await expectMoves(white, "e4");
  await white.getByRole("button", { name: "Add a line" }).click();
  const plan = white.getByRole("region", { name: "Conditional moves" });
  const keep = white.getByRole("button", { name: "Keep the line" });
  await plan.getByText(/^Play the opponent's move/).waitFor(); // the rules core is there
  await click(white, "e7", "e5");
  await plan.getByText("e5", { exact: true }).waitFor();
  expect(await keep.isDisabled()).toBe(true); // a line ends with one's own move
  await click(white, "g1", "f3");
  await plan.getByText("e5 Nf3", { exact: true }).waitFor();
  await keep.click();
  await white.getByRole("button", { name: "Remove e5 Nf3" }).waitFor();
  await expectMoves(white, "e4"); // the board shows the game again
  await expectMoves(black, "e4");
  expect(await black.getByText("Nf3").count()).toBe(0);

  await click(black, "e7", "e5");
  await black.getByRole("button", { name: "Send the move" }).click();
  await expectMoves(black, "e4", "e5", "Nf3");
  await expectMoves(white, "e4", "e5", "Nf3");
});

test("a muted opponent is not read, and zen leaves the board", async () => {
  const [{ page: white }, { page: black }] = await begin(site, ["Atossa", "Gorgo"], { "clock.limit": 600, "clock.increment": 0 });
  await white.getByRole("button", { name: "Mute" }).click();
  await white.getByText("You have turned the chat off.").waitFor();
  await black.getByRole("textbox", { name: "Message" }).fill("hello there");
  await black.getByRole("button", { name: "Send" }).click();
  await black.getByRole("log").getByText("hello there").waitFor();
  await click(white, "e2", "e4");
  await expectMoves(black, "e4");
  expect(await white.getByText("hello there").count()).toBe(0);
  await white.getByRole("button", { name: "Mute" }).click();
  await white.getByRole("log").getByText("hello there").waitFor();

  await white.getByRole("heading", { level: 1 }).click(); // the key is for the page
  await white.keyboard.press("z");
  await white.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
  await white.getByRole("log").waitFor({ state: "hidden" });
  await white.keyboard.press("z");
  await white.getByRole("navigation", { name: "Main" }).waitFor();
});

test("TV shows the game of a channel and follows it", async () => {
  const [{ page: white }, , id] = await begin(site, ["Xanthippe", "Megistias"], { "clock.limit": 600, "clock.increment": 0, variant: "spartan" });
  const viewer = await site.visitor();
  await viewer.page.goto("/tv/spartan");
  await viewer.page.getByRole("heading", { name: "TV" }).waitFor();
  await click(white, "e2", "e4");
  await viewer.page.getByRole("link", { name: /^Spartan/ }).waitFor();
  await viewer.page.getByRole("group", { name: /board/ }).waitFor();
  await viewer.page.locator("[data-cell=e4]").first().waitFor();
  expect(await viewer.faults()).toEqual([]);
  await viewer.page.getByRole("link", { name: "watch with moves and chat" }).click();
  await viewer.page.waitForURL(new RegExp(`/${id}`));
  await expectMoves(viewer.page, "e4");
});

test("TV lets the end of a game be seen before the next", async () => {
  const blitz = { "clock.limit": 180, "clock.increment": 0 };
  const [{ page: white }] = await begin(site, ["Artemisia", "Cleomenes"], blitz);
  const { page } = await site.visitor();
  await click(white, "e2", "e4");
  await page.goto("/tv"); // without a wish it shows what is on
  await page.getByRole("region", { name: "The game" }).waitFor();
  await page.getByRole("link", { name: /^Blitz/ }).click();
  await page.getByRole("region", { name: "The game" }).getByText("Cleomenes").waitFor();
  await page.locator("[data-cell=e4][aria-label*=Pawn]").first().waitFor();
  // What the page says is noted in it, however slow this test is to look.
  await page.evaluate(() => {
    const said = ((globalThis as unknown as { said: string[] }).said = []) as string[];
    const note = (): void => void said.push(document.querySelector("main")?.textContent ?? "");
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await white.getByRole("button", { name: "Abort" }).click();
  const [next] = await begin(site, ["Hegesistratus", "Tisamenus"], blitz);
  await click(next.page, "d2", "d4");
  await page.getByRole("region", { name: "The game" }).getByText("Hegesistratus").waitFor();
  await page.locator("[data-cell=d4][aria-label*=Pawn]").first().waitFor();
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  expect(said.some((text) => text.includes("Cleomenes") && /abort/i.test(text))).toBe(true);
});

test("a game that was played elsewhere is brought by its text", async () => {
  const visitor = await site.visitor();
  await visitor.signUp("Herodotus");
  const { page } = visitor;
  await page.goto("/@/Herodotus");
  await page.getByRole("link", { name: "Import a game" }).click();
  const text = page.getByLabel("PGN", { exact: true });
  await text.fill("1. e4 e5 2. Ke3");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText(/^PGN: .*move 2/).waitFor();
  expect(await text.getAttribute("aria-invalid")).toBe("true");
  expect(visitor.complaints.splice(0)).toHaveLength(1); // the refusal
  await text.fill(`[White "Morphy"]
[Black "Duke"]
[Date "1858.11.02"]
[TimeControl "600:1/30:1/30"]
[Result "1-0"]

1. e4 { [%clk 0:09:00] } e5 { [%clk 0:08:00] } 2. Nf3 { [%clk 0:00:30] } 1-0`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/);
  await expectMoves(page, "e4", "e5", "Nf3");
  await page.getByText("10+2×30").waitFor();
  await page.getByText("Morphy").first().waitFor();
  await page.goto("/@/Herodotus");
  await page.getByRole("button", { name: "Imported (1)" }).click();
  await page.getByRole("link", { name: "Morphy – Duke" }).waitFor();
  await page.getByText("1858.11.02").waitFor();
  expect(await visitor.faults()).toEqual([]);
});
