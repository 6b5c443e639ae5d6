import { describe, expect, it } from "vitest";
import { blocks } from "./markdown";

describe("blocks", () => {
  it("reads paragraphs and numbered lists", () => {
    expect(blocks("One\ntwo.\n\n3. Three\n4. Four\n   goes on\n")).toEqual([
      { kind: "paragraph", inlines: [{ kind: "text", text: "One two." }] },
      { kind: "list", start: 3, items: [[{ kind: "text", text: "Three" }], [{ kind: "text", text: "Four goes on" }]] },
    ]);
  });
  it("reads headings, bullets and marks", () => {
    expect(blocks("## A `b`\n- *c* and **d**")).toEqual([
      { kind: "heading", inlines: [{ kind: "text", text: "A " }, { kind: "code", text: "b" }] },
      { kind: "list", start: undefined, items: [[{ kind: "em", text: "c" }, { kind: "text", text: " and " }, { kind: "strong", text: "d" }]] },
    ]);
  });
  it("keeps markup a text and follows only addresses of pages", () => {
    expect(blocks("<b>x</b> [a](https://a.example/) [b](javascript:alert) [c](/variant/x) [d](//evil.example)")).toEqual([
      {
        kind: "paragraph",
        inlines: [
          { kind: "text", text: "<b>x</b> " },
          { kind: "link", text: "a", href: "https://a.example/" }, { kind: "text", text: " " },
          { kind: "text", text: "b" }, { kind: "text", text: " " },
          { kind: "link", text: "c", href: "/variant/x" }, { kind: "text", text: " " },
          { kind: "text", text: "d" },
        ],
      },
    ]);
  });
  it("is empty for an empty text", () => {
    expect(blocks("")).toEqual([]);
  });
});
