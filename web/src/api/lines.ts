import { errorText } from "./client";

/** Asks for a list that comes with one value a line; undefined if it is refused. */
export async function lines<T>(path: string): Promise<readonly T[] | undefined> {
  const answer = await fetch(path, { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok) return undefined;
  return (await answer.text()).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

/** Asks for a stream, and tells its values as they come. It fails with a sentence if it is refused. */
export async function* listen<T>(path: string, init: RequestInit): AsyncGenerator<T, void> {
  const answer = await fetch(path, init);
  if (!answer.ok || !answer.body) throw new Error(errorText(await answer.json().catch(() => undefined)));
  yield* follow<T>(answer.body);
}

/** The values of a stream, one a line, as they come. Empty lines are signs of life. */
export async function* follow<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) if (line !== "") yield JSON.parse(line) as T;
    }
  } finally {
    await reader.cancel().catch(() => {}); // a stream that broke off has told so already
  }
}
