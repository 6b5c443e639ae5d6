/** One picture in a box of 100 units: filled shapes with an outline, the lines drawn on top of them, or other pictures. */
export interface Glyph {
  readonly body?: readonly string[];
  readonly lines?: readonly string[];
  /** Names of pictures, each with what moves and scales it. */
  readonly parts?: readonly (readonly [string, string])[];
}

/** What many men stand on. */
export const plinth = "M24 90v-6q7-3 9-9h34q2 6 9 9v6z";
