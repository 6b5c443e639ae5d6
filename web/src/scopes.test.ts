import { describe, expect, it } from "vitest";
import { isScope, prefilled, scopeGroups, scopeText } from "./scopes";

describe("prefilled", () => {
  it("reads the link of lichess-bot's manual", () => {
    expect(prefilled("?scopes[]=bot:play&description=lichess-bot")).toEqual({ description: "lichess-bot", scopes: ["bot:play"] });
  });
  it("takes several scopes, each once, and drops unknown ones", () => {
    expect(prefilled("?scopes[]=board:play&scopes%5B%5D=puzzle:read&scopes[]=board:play&scopes[]=toString&scopes[]=root").scopes).toEqual(["board:play", "puzzle:read"]);
    expect(prefilled("?scopes=board:play,challenge:read").scopes).toEqual(["board:play", "challenge:read"]);
  });
  it("cuts a description to what the API takes", () => {
    expect(prefilled(`?description=${"x".repeat(300)}`).description).toHaveLength(200);
    expect(prefilled("")).toEqual({ description: "", scopes: [] });
  });
});

describe("scopes", () => {
  it("are grouped, each once", () => {
    const all = scopeGroups.flatMap((group) => group.scopes);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(23);
    expect(all.every((scope) => isScope(scope) && scopeText(scope) !== scope)).toBe(true);
  });
  it("show unknown ones by name", () => expect(scopeText("new:scope")).toBe("new:scope"));
});
