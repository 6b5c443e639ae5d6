// The games of this server, fetched once each.
import { api, errorText, type Schemas } from "./api/client";

export type GameSummary = Schemas["VariantSummary"];
export type Definition = Schemas["VariantDetail"];

let list: Promise<readonly GameSummary[]> | undefined;
const definitions = new Map<string, Promise<Definition>>();

/** The size of a board in words. */
export function boardText({ shape, files, ranks, cells }: Schemas["BoardShape"]): string {
  return shape === "rect" && cells === files * ranks ? `${files} × ${ranks}` : `${cells} cells`;
}

/** All games, in the order of the catalogue. */
export function games(): Promise<readonly GameSummary[]> {
  return (list ??= fetched(api.GET("/api/variants"), () => (list = undefined)));
}

/** Everything about one game. */
export function definition(key: string): Promise<Definition> {
  const known = definitions.get(key);
  if (known) return known;
  const asked = fetched(api.GET("/api/variants/{key}", { params: { path: { key } } }), () => definitions.delete(key)).then(learned);
  definitions.set(key, asked);
  return asked;
}

// The rules core of the page knows the catalogue; other games are made known to it.
async function learned(game: Definition): Promise<Definition> {
  if (game.definition) (await import("./engine/engine")).engine().learn(game.key, game.definition);
  return game;
}

// What failed is asked for again the next time.
async function fetched<T>(answer: Promise<{ data?: T; error?: unknown }>, forget: () => void): Promise<T> {
  try {
    const { data, error } = await answer;
    if (data !== undefined) return data;
    throw new Error(errorText(error));
  } catch (error) {
    forget();
    throw error;
  }
}
