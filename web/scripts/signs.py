"""Draws the characters of native.ts as paths, so that no visitor needs a font for them: writes src/board/signs/outlines.ts.

Run by hand when a character is added:

    npm pack @fontsource/noto-serif-jp@5.3.0 @fontsource/noto-serif-tc@5.3.0   # unpack each into a folder of its own
    pip install fonttools==4.68.0 brotli==1.2.1
    python scripts/signs.py FOLDER-OF-JP FOLDER-OF-TC

The first font that has a character gives its form.
"""

import json
import re
import sys
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

BOARD = Path(__file__).parent.parent / "src" / "board"
EM = 256  # finer than a pixel at the size of a cell

HEAD = """// The outlines of the characters in native.ts, written by scripts/signs.py. They come from Noto Serif JP and Noto Serif TC,
// bold, and are under the SIL Open Font License 1.1 (OFL.txt beside this file).

/** Path data by character, in a box of {em} units around its middle. */
export const outlines: Readonly<Record<string, string>> = {{
{rows}
}};
"""


def wanted() -> list[str]:
    code = re.sub(r"//.*|/\*.*?\*/", "", (BOARD / "native.ts").read_text(encoding="utf-8"))
    return sorted(set(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]", code)))


def outline(font: TTFont, char: str) -> str | None:
    name = font.getBestCmap().get(ord(char))
    if name is None:
        return None
    glyphs = font.getGlyphSet()
    bounds = BoundsPen(glyphs)
    glyphs[name].draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale = EM / font["head"].unitsPerEm
    pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
    middle = (-(left + right) / 2 * scale, (bottom + top) / 2 * scale)
    glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, *middle)))
    return pen.getCommands()


def main(folders: list[str]) -> None:
    missing, found = wanted(), {}
    for folder in folders:
        for file in sorted(Path(folder).glob("files/*-700-normal.woff2")):
            font = TTFont(file)
            for char in list(missing):
                if path := outline(font, char):
                    found[char] = path
                    missing.remove(char)
    if missing:
        sys.exit(f"no font has {' '.join(missing)}")
    rows = "\n".join(f"  {json.dumps(char, ensure_ascii=False)}: {json.dumps(found[char])}," for char in sorted(found))
    (BOARD / "signs" / "outlines.ts").write_text(HEAD.format(em=EM, rows=rows), encoding="utf-8")


main(sys.argv[1:])
