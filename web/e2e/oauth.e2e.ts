// An application on another origin gets access by OAuth 2 with PKCE, uses it from the browser, and loses it.
import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Site } from "./site";

let site: Site;
let app: HttpServer;
let origin: string;

// What the application's page does is written out here, as an application of somebody else would have it.
const script = (server: string): string => `
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const query = new URLSearchParams(location.search);
  const say = (words) => (document.querySelector("output").value = words);
  async function begin() {
    const verifier = text(crypto.getRandomValues(new Uint8Array(32)));
    sessionStorage.verifier = verifier;
    const code_challenge = text(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
    location.assign("${server}/oauth?" + new URLSearchParams({
      response_type: "code", client_id: "the other app", redirect_uri: location.origin + "/back", code_challenge_method: "S256",
      code_challenge, scope: "preference:read", state: "a state",
    }));
  }
  async function back() {
    if (query.get("state") !== "a state") return say("wrong state");
    if (query.has("error")) return say("refused: " + query.get("error"));
    const answer = await fetch("${server}/api/token", { method: "POST", body: new URLSearchParams({
      grant_type: "authorization_code", code: query.get("code"), code_verifier: sessionStorage.verifier,
      redirect_uri: location.origin + "/back", client_id: "the other app",
    }) });
    const { access_token } = await answer.json();
    sessionStorage.token = access_token;
    await ask();
  }
  async function ask() {
    const answer = await fetch("${server}/api/account", { headers: { Authorization: "Bearer " + sessionStorage.token } });
    const who = await answer.json();
    say(answer.ok ? "hello " + who.username : "no access");
  }
  if (location.pathname === "/back") back();
`;

beforeAll(async () => {
  site = await Site.open();
  app = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><link rel="icon" href="data:,"><button onclick="begin()">Sign in with Hoplite</button>
      <button onclick="ask()">Who am I?</button><output></output><script>${script(site.server.url)}</script>`);
  }).listen(0, "127.0.0.1");
  await once(app, "listening");
  const address = app.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  origin = `http://127.0.0.1:${address.port}`;
});
afterEach(() => site.leave());
afterAll(async () => {
  app?.close();
  await site?.close();
});

test("grant access to an application of another origin, and take it back", async () => {
  const visitor = await site.visitor();
  const { page } = visitor;
  await visitor.signUp("Ephialtes");
  await visitor.context.clearCookies();

  // Not signed in: the way leads over the form and back to the question.
  await page.goto(origin);
  await page.getByRole("button", { name: "Sign in with Hoplite" }).click();
  await page.getByLabel("User name").fill("Ephialtes");
  await page.getByLabel("Password").fill("Ephialtes has a password");
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.getByText("the other app").waitFor();
  await page.getByText(origin).waitFor();

  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByText("refused: access_denied").waitFor();
  expect(new URL(page.url()).origin).toBe(origin);

  await page.getByRole("button", { name: "Sign in with Hoplite" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("hello Ephialtes").waitFor();

  const other = await visitor.context.newPage();
  await other.goto("/account");
  await other.getByText("the other app").first().waitFor();
  await other.getByRole("button", { name: "Revoke the other app" }).click();
  await other.getByRole("button", { name: "Revoke the other app for good" }).click();
  await other.getByText("There are none.").waitFor();

  await page.getByRole("button", { name: "Who am I?" }).click();
  await page.getByText("no access").waitFor();
  // The browser reports what the application was refused, and nothing else.
  expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("401")]);
});

test("a request that says where not to go is refused on the page", async () => {
  const visitor = await site.visitor("phone");
  await visitor.signUp("Cautious");
  const request = new URLSearchParams({ response_type: "code", client_id: "x", redirect_uri: "javascript:alert(1)", code_challenge_method: "S256", code_challenge: "x" });
  await visitor.page.goto(`/oauth?${request}`);
  await visitor.page.getByRole("heading", { name: "This request cannot be granted" }).waitFor();
  expect(await visitor.page.getByRole("button", { name: "Allow" }).count()).toBe(0);
  // The browser reports the refused request too, and nothing else.
  const complaints = visitor.complaints.splice(0);
  expect(complaints.filter((text) => !text.includes("400") || !text.includes("redirect_uri=javascript"))).toEqual([]);
  expect(complaints).not.toEqual([]);
});
