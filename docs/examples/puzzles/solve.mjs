// A puzzle client in JavaScript: fetches a mate, and lets the server judge each move that is typed.
//
//   node docs/examples/puzzles/solve.mjs [URL] [GAME]
//
// Only Node 18 or later is needed. Nobody has to sign in; with TOKEN set, the attempt is rated.
import { createInterface } from "node:readline";

const [url = "http://127.0.0.1:8080", game = "spartan"] = process.argv.slice(2);
const headers = { "Content-Type": "application/json" };
if (process.env.TOKEN) headers.Authorization = `Bearer ${process.env.TOKEN}`;

/** The answer of the API, errors included. */
async function call(path, body) {
  const answer = await fetch(url + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  return answer.json();
}

const { puzzle } = await call(`/api/puzzle/next?angle=${game}`);
console.log(`Puzzle ${puzzle.id}, rated ${puzzle.rating}, ${puzzle.themes.join(" ")}`);
console.log(puzzle.fen);

const played = [];
for await (const line of createInterface({ input: process.stdin })) {
  const move = line.trim();
  if (!move) {
    console.log(puzzle.solution.join(" "));
    break;
  }
  const verdict = await call(`/api/puzzle/${puzzle.id}/solve`, { moves: [...played, move] });
  if (verdict.error) console.log(verdict.error);
  else if (verdict.win && verdict.done) {
    console.log("Solved.");
    break;
  } else if (verdict.win) {
    played.push(move);
    console.log(`Right. The answer is ${verdict.reply}.`);
  } else if (verdict.longer) console.log("That mates too, but later. Try again.");
  else console.log("Not the move. Try again.");
}
