// Chess programs that run elsewhere and are lent to the account: they are asked through the server, and answer as the
// engine of the page does.
import { api, type Schemas } from "../api/client";
import { listen } from "../api/lines";
import { engine } from "./engine";
import type { Line, SearchQuestion, State, Thought, Variation } from "./protocol";

export type ExternalEngine = Schemas["ExternalEngine"];
type Analysis = Schemas["ExternalEngineAnalysis"];

/** The most that a program may think about one position, and that the server allows: ten minutes. */
const longest = 600_000;
/** How much of a line is written out. */
const shownPlies = 12;

// What this page asks for ends what it asked for before.
const sessionId = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The account's programs that know a game, by its name over UCI. None if that cannot be told. */
export async function externalEngines(uciName: string): Promise<readonly ExternalEngine[]> {
  try {
    const { data } = await api.GET("/api/external-engine");
    return data?.filter(({ variants }) => variants.includes(uciName)) ?? [];
  } catch {
    return [];
  }
}

/** Asks a program until it has nothing more to say or the signal comes. It fails with a sentence. */
export async function askElsewhere(
  asked: ExternalEngine, question: SearchQuestion, state: State, signal: AbortSignal, progress: (thought: Thought) => void,
): Promise<void> {
  const { id, clientSecret, maxThreads: threads, maxHash: hash } = asked;
  const moves = question.moves ?? [];
  const work = { sessionId, threads, hash, multiPv: question.lines ?? 1, variant: question.key, initialFen: state.start, moves, movetime: longest };
  let heard = false;
  for await (const found of listen<Analysis>(`/api/external-engine/${encodeURIComponent(id)}/analyse`, {
    method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ clientSecret, work }),
  })) {
    const thought = await thoughtOf(found, { ...question, fen: state.start, moves });
    if (signal.aborted) return;
    heard = true;
    progress(thought);
  }
  if (!heard && !signal.aborted) throw new Error(`${asked.name} does not answer. Is its provider running?`);
}

/** What a program has found, with the moves as people write them. */
async function thoughtOf({ depth, nodes, time, pvs }: Analysis, line: Line): Promise<Thought> {
  const lines = await Promise.all(pvs.map(async ({ cp, mate, moves }): Promise<Variation> => {
    const before = line.moves ?? [];
    const shown = moves.slice(0, shownPlies);
    const { plies } = await engine().state({ ...line, moves: [...before, ...shown] });
    const pv = plies.slice(before.length).map(({ move, san }) => ({ move, san }));
    return { cp: cp ?? 0, ...(mate === undefined ? {} : { mate }), pv };
  }));
  return { depth, nodes, ms: time, lines };
}
