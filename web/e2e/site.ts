// A server and a browser for one file of tests, and the people who visit.
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { expect } from "vitest";
import { Server } from "./server";

const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

export const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} as const;
export type Size = keyof typeof sizes;

export class Site {
  readonly server: Server;
  readonly browser: Browser;
  readonly #visitors: Visitor[] = [];

  private constructor(server: Server, browser: Browser) {
    [this.server, this.browser] = [server, browser];
  }

  static async open(bots?: string): Promise<Site> {
    return Site.#at(await Server.start(bots));
  }

  /** A site that has the games of tests too. */
  static async stage(): Promise<Site> {
    return Site.#at(await Server.stage());
  }

  static async #at(server: Server): Promise<Site> {
    const executablePath = process.env["HOPLITE_CHROMIUM"] ?? "/usr/bin/chromium";
    return new Site(server, await chromium.launch({ executablePath, args: flags }));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
  }

  /** Somebody with a browser profile of their own. */
  async visitor(size: Size = "desktop"): Promise<Visitor> {
    const context = await this.browser.newContext({ ...sizes[size], baseURL: this.server.url, locale: "en-GB", reducedMotion: "reduce" });
    context.setDefaultTimeout(30_000);
    const visitor = new Visitor(context, await context.newPage(), this.server.url);
    this.#visitors.push(visitor);
    return visitor;
  }

  /** Closes what the visitors of a test have open, and fails if the browser complained of anything. */
  async leave(): Promise<void> {
    const visitors = this.#visitors.splice(0);
    await Promise.all(visitors.map(({ context }) => context.close()));
    expect(visitors.flatMap(({ complaints }) => complaints)).toEqual([]);
  }
}

export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser's console says went wrong. */
  readonly complaints: string[] = [];
  /** The account that the visitor has made. */
  name = "";
  readonly #url: string;

  constructor(context: BrowserContext, page: Page, url: string) {
    [this.context, this.page, this.#url] = [context, page, url];
    page.on("pageerror", (error) => this.complaints.push(error.stack ?? error.message));
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      const { url } = message.location();
      // The machine has no sound device, or lost it.
      if (message.text().startsWith("The AudioContext encountered an error from the audio device")) return;
      this.complaints.push(`${message.text()} (${url})`);
    });
  }

  /** Makes an account and signs in, without the form. */
  async signUp(username: string): Promise<void> {
    this.name = username;
    const answer = await this.context.request.post("/api/signup", {
      data: { username, password: `${username} has a password` }, headers: { Origin: this.#url },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }

  /** From here on the server is expected to be unreachable for a while: complaints about the network are no news. */
  forgiveNetwork(): void {
    const kept = this.complaints.filter((text) => !/net::ERR_|WebSocket connection/.test(text));
    this.complaints.splice(0, this.complaints.length, ...kept);
  }

  /** What axe-core finds wrong with the page as it is shown. */
  async faults(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const results = await this.page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }));
    return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
  }
}
