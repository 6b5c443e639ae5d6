import { expect, test } from "vitest";
import { follow } from "./lines";

test("values of a stream, however it is cut", async () => {
  const text = new TextEncoder().encode('{"a":"ö"}\n\n\n{"a":"b"}\n{"a":"cut off');
  for (const size of [1, 2, 7, text.length]) {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= text.length) controller.close();
        else controller.enqueue(text.slice(at, (at += size)));
      },
    });
    const seen: unknown[] = [];
    for await (const value of follow(body)) seen.push(value);
    expect(seen).toEqual([{ a: "ö" }, { a: "b" }]);
  }
});

test("who has seen enough ends the stream", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("1\n")),
    cancel: () => void (cancelled = true),
  });
  for await (const value of follow<number>(body)) if (value === 1) break;
  expect(cancelled).toBe(true);
});
