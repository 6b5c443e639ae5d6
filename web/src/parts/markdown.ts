// The part of Markdown that the texts of games use, as values that a component draws: nothing in a text can become
// markup. Pure.

export type Inline =
  | { readonly kind: "text" | "strong" | "em" | "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

export type Block =
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  | { readonly kind: "heading"; readonly inlines: readonly Inline[] }
  | { readonly kind: "list"; readonly start: number | undefined; readonly items: readonly (readonly Inline[])[] };

const item = /^(?:(\d+)\.|[-*])\s+(.*)$/;

/** Reads a text: paragraphs, headings, one level of lists. */
export function blocks(text: string): readonly Block[] {
  const found: Block[] = [];
  let lines: string[] = [];
  let items: string[] = [];
  let start: number | undefined;
  const end = (): void => {
    if (lines.length > 0) found.push({ kind: "paragraph", inlines: inlines(lines.join(" ")) });
    if (items.length > 0) found.push({ kind: "list", start, items: items.map(inlines) });
    lines = [];
    items = [];
  };
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    const [, number, rest] = item.exec(line) ?? [];
    if (line === "") {
      end();
    } else if (line.startsWith("#")) {
      end();
      found.push({ kind: "heading", inlines: inlines(line.replace(/^#+\s*/, "")) });
    } else if (rest !== undefined) {
      if (items.length === 0) {
        end();
        start = number === undefined ? undefined : Number(number);
      }
      items.push(rest);
    } else if (items.length > 0) {
      items.push(`${items.pop() ?? ""} ${line}`);
    } else {
      lines.push(line);
    }
  }
  end();
  return found;
}

const mark = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[([^\]]+)\]\(([^)\s]+)\)/;

function inlines(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let rest = text;
  for (let hit = mark.exec(rest); hit; hit = mark.exec(rest)) {
    if (hit.index > 0) found.push({ kind: "text", text: rest.slice(0, hit.index) });
    const [all, strong, em, code, label, href] = hit;
    if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (em !== undefined) found.push({ kind: "em", text: em });
    else if (code !== undefined) found.push({ kind: "code", text: code });
    else if (label !== undefined && href !== undefined) found.push(safe(href) ? { kind: "link", text: label, href } : { kind: "text", text: label });
    rest = rest.slice(hit.index + all.length);
  }
  if (rest !== "") found.push({ kind: "text", text: rest });
  return found;
}

// Only addresses that lead to pages: no scripts, no data.
function safe(href: string): boolean {
  return /^https?:\/\//.test(href) || /^\/(?!\/)/.test(href);
}
