// The real server: the binary that people run, on a port and a database of its own.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const binary = resolve(import.meta.dirname, "..", process.env["HOPLITE_BIN"] ?? "../bin/hoplite");
// Games of an operator's own are played like all others.
const ownGames = resolve(import.meta.dirname, "../../docs/examples/variants");

/** Builds the server that has the games of tests too, and returns where it is. */
export async function buildStage(folder: string): Promise<string> {
  const program = join(folder, "stage");
  await promisify(execFile)("go", ["build", "-o", program, "./server/servertest/stage"], { cwd: resolve(import.meta.dirname, "../..") });
  return program;
}

export class Server {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  readonly #program: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  #log = "";

  private constructor(port: number, folder: string, program: string, args: readonly string[]) {
    this.url = `http://127.0.0.1:${port}`;
    [this.#port, this.#folder, this.#program, this.#args] = [port, folder, program, args];
  }

  /** Starts a server with an empty database and these levels of house bots. */
  static async start(bots = "none"): Promise<Server> {
    const args = ["--bots", bots, "--limits", "off", "--variants", ownGames];
    const server = new Server(await freePort(), await mkdtemp(join(tmpdir(), "hoplite-e2e-")), binary, ["serve", ...args]);
    await server.restart();
    return server;
  }

  /** Starts a server with an empty database that has the games of tests too. */
  static async stage(): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), "hoplite-e2e-"));
    const server = new Server(await freePort(), folder, await buildStage(folder), []);
    await server.restart();
    return server;
  }

  /** Says a line to a stage, and waits for what it answers. */
  async say(line: string): Promise<void> {
    const child = this.#process;
    if (!child?.stdin || !child.stdout) throw new Error("no stage");
    const answer = once(child.stdout, "data");
    child.stdin.write(`${line}\n`);
    const [said] = (await answer) as [Buffer];
    if (said.toString() !== "ok\n") throw new Error(`${line}: ${said.toString()}`);
  }

  /** Starts the server on the database as it is, and returns when it answers. */
  async restart(): Promise<void> {
    const args = [...this.#args, "--listen", `127.0.0.1:${this.#port}`, "--db", join(this.#folder, "hoplite.db")];
    const child = spawn(this.#program, args, { stdio: "pipe" });
    const keep = (data: Buffer): void => void (this.#log += data.toString());
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    let failure: Error | undefined;
    child.on("error", (error) => (failure = error));
    this.#process = child;
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await new Promise((wait) => setTimeout(wait, 50))) {
      if (failure) throw new Error(`cannot start ${this.#program}: ${failure.message}; run make build`);
      if (child.exitCode !== null) throw new Error(`the server ended at once:\n${this.#log}`);
      const answer = await fetch(`${this.url}/api/variants`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error(`the server does not answer:\n${this.#log}`);
  }

  /** Runs a command of administration on the server's database, and returns what it prints. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(binary, ["--db", join(this.#folder, "hoplite.db"), ...args]);
    return stdout;
  }

  /** Lends our engine to the account of a token, until the returned function is called. */
  lend(token: string, name: string): () => Promise<void> {
    const bot = join(dirname(binary), "hoplite-bot");
    const env = { ...process.env, HOPLITE_BOT_TOKEN: token };
    const child = spawn(bot, ["provide", "--url", this.url, "--name", name, "--threads", "1", "--hash", "16"], { stdio: "ignore", env });
    const gone = once(child, "exit");
    return async () => {
      child.kill("SIGTERM");
      await gone;
    };
  }

  /** Ends the server as a loss of power would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Ends the server and removes its database. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
