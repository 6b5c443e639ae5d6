// Officers, engines and arms: the men of the old games, of East Asia, and those of Ultima.
import { plinth, type Glyph } from "./glyph";

const medal = "M50 10a33 33 0 1 1 0 66 33 33 0 0 1 0-66z";
const foot = "M36 76h28l6 14H30z";
const bowl = "M24 60c0-22 11-34 26-34s26 12 26 34z";
const brim = "M17 60h66l-7 15H24z";
const base = "M30 78h40l6 12H24z";

export const officers: Readonly<Record<string, Glyph>> = {
  ferz: {
    body: ["M38 52h24l6 23H32z", "M26 40c0-13 10-20 24-20s24 7 24 20c0 9-8 13-24 13S26 49 26 40z", "M50 8a6 6 0 1 1 0 12 6 6 0 0 1 0-12z", plinth],
    lines: ["M28 42c10-10 24-14 44-10", "M32 48c12-8 24-10 38-6"],
  },
  vizier: {
    body: ["M38 46h24l6 29H32z", "M32 16h36v24H32z", "M24 38h52v10H24z", plinth],
    lines: ["M50 20v14", "M40 27h20"],
  },
  dabbaba: {
    body: ["M14 52 50 18l36 34z", "M22 52h56v24H22z", "M34 68a11 11 0 1 1 0 22 11 11 0 0 1 0-22z", "M66 68a11 11 0 1 1 0 22 11 11 0 0 1 0-22z"],
    lines: ["M34 60h32", "M34 79h1", "M66 79h1"],
  },
  picket: {
    body: ["M44 8h7v70h-7z", "M51 10l34 15-34 15z", "M32 76h34v6H32z", plinth],
    lines: ["M58 25h10"],
  },
  cannon: {
    body: ["M10 50 70 20q6-2 9 4l7 14q2 6-4 9L24 72z", "M42 48a20 20 0 1 1 0 40 20 20 0 0 1 0-40z"],
    lines: ["M42 56v24", "M30 68h24", "M66 26l10 20"],
  },
  advisor: {
    body: ["M50 10l32 10v26c0 22-14 34-32 44-18-10-32-22-32-44V20z"],
    lines: ["M36 32l28 30", "M64 32 36 62"],
  },
  gold: {
    body: ["M36 30C24 28 14 18 13 4c8 9 18 13 30 15z", "M64 30c12-2 22-12 23-26-8 9-18 13-30 15z", bowl, brim, base],
    lines: ["M50 34v18", "M40 44h20"],
  },
  silver: { body: ["M50 6l9 12-9 12-9-12z", bowl, brim, base], lines: ["M36 44h28"] },
  copper: { body: ["M43 14h14v12H43z", bowl, brim, base], lines: ["M38 40v12", "M50 36v16", "M62 40v12"] },
  lance: { body: ["M46 42h8v48h-8z", "M50 4l14 28-14 14-14-14z", "M34 50h32v7H34z", "M38 84h24v8H38z"], lines: ["M50 18v16"] },
  "go-between": { body: ["M50 8l20 22H58v38h12L50 92 30 68h12V30H30z"] },
  pincer: {
    body: ["M46 54C26 54 16 38 24 16c8 2 12 8 12 14-3 6 2 12 10 12z", "M54 54c20 0 30-16 22-38-8 2-12 8-12 14 3 6-2 12-10 12z", "M42 50h16l5 25H37z", plinth],
  },
  withdrawer: { body: [medal, foot], lines: ["M72 43H38", "M50 29 36 43l14 14", "M28 28v30"] },
  coordinator: { body: [medal, foot], lines: ["M34 26v34h34", "M60 26v16H50"] },
  "long leaper": { body: [medal, foot], lines: ["M28 56c4-32 36-34 42-4", "M58 46l12 7 6-13", "M49 54h1"] },
  chameleon: { body: [medal, foot], lines: ["M28 52c-4-24 36-34 44-10 4 18-20 22-20 6 0-8 11-8 11 0", "M34 36h1"] },
  immobilizer: { body: [medal, foot], lines: ["M39 42v-8c0-15 22-15 22 0v8", "M34 42h32v20H34z", "M50 49v6"] },
};
