// Runs the module in Node and puts one question a line of the input to it: node ask.mjs wasm_exec.js hoplite.wasm.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [, , support, module] = process.argv;
createRequire(import.meta.url)(resolve(support));
const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(readFileSync(module), go.importObject);
void go.run(instance);

let id = 0;
function ask(name, question, stopAfter) {
  return new Promise((done) => {
    const mine = String(++id);
    let progress = 0;
    globalThis.hoplite.ask(mine, name, JSON.stringify(question), (kind, text) => {
      if (kind === "progress") progress++;
      else done(kind === "answer" ? { answer: JSON.parse(text), progress } : { error: text });
    });
    if (stopAfter !== undefined) setTimeout(() => globalThis.hoplite.stop(mine), stopAfter);
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { name, question, stopAfter, meanwhile } = JSON.parse(line);
  const first = ask(name, question, stopAfter);
  // A question that comes while a search runs must not wait for it.
  const second = meanwhile && (await ask(meanwhile.name, meanwhile.question));
  console.log(JSON.stringify({ ...(await first), ...(second && { meanwhile: second }) }));
}
// The module would keep the process alive. What was written last must have left first.
process.stdout.write("", () => process.exit(0));
