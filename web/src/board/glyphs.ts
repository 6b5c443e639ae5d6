// The pictures of the men, drawn for this project. Which man gets which is for figures.ts to say.
import { beasts } from "./glyphs/beasts";
import { birds } from "./glyphs/birds";
import type { Glyph } from "./glyphs/glyph";
import { officers } from "./glyphs/officers";
import { orthodox } from "./glyphs/orthodox";

export type { Glyph };

const glyphs: Readonly<Record<string, Glyph>> = { ...orthodox, ...officers, ...beasts, ...birds };

/** Whether there is a picture of that name. */
export function drawn(name: string): boolean {
  return Object.hasOwn(glyphs, name);
}

export function glyphOf(name: string | undefined): Glyph | undefined {
  return name !== undefined && drawn(name) ? glyphs[name] : undefined;
}

/** The names that have a picture. */
export const drawnNames: readonly string[] = Object.keys(glyphs);
