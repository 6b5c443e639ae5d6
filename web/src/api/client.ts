// The typed client of the server's own API. The page calls it from the same origin, so the session cookie says who asks.
import createClient from "openapi-fetch";
import type { components, paths } from "./types.gen";

export type Schemas = components["schemas"];

export const api = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });

/** The sentence to show for an error that the API answered with. */
export function errorText(error: unknown): string {
  const said = (error as { error?: unknown } | null | undefined)?.error;
  if (typeof said === "string") return said;
  if (typeof said === "object" && said !== null) {
    return Object.entries(said)
      .map(([field, texts]) => (field === "global" ? "" : `${field}: `) + (Array.isArray(texts) ? texts.join(", ") : String(texts)))
      .join("; ");
  }
  return "The server did not answer as expected. Please try again.";
}
