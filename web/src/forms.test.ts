import { describe, expect, it } from "vitest";
import { agentName, nameProblem, nextPath, passwordProblem, problems, signPath } from "./forms";

describe("problems", () => {
  const labels = { username: "User name", password: "Password" };
  it("puts texts beside their fields", () => {
    const found = problems({ error: { username: ["is taken"], password: ["must have at least 8 characters", "is too common"] } }, labels);
    expect(found).toEqual({ fields: { username: "User name is taken.", password: "Password must have at least 8 characters." }, form: undefined });
  });
  it("keeps what has no field for the form", () => {
    expect(problems({ error: { global: ["is odd"], username: ["is taken"] } }, labels)).toEqual({ fields: { username: "User name is taken." }, form: "is odd" });
    expect(problems({ error: "Sign-up is closed here" }, labels)).toEqual({ fields: {}, form: "Sign-up is closed here" });
  });
  it("says something about an answer that says nothing", () => {
    expect(problems(undefined, labels).form).toMatch(/try again/);
  });
});

describe("nextPath", () => {
  const origin = "https://chess.example";
  it.each([
    ["?next=%2Foauth%3Fclient_id%3Da%26scope%3Dx", "/oauth?client_id=a&scope=x"],
    ["?next=/lobby%23seeks", "/lobby#seeks"],
    ["", "/"],
    ["?next=", "/"],
    ["?next=https://evil.example/", "/"],
    ["?next=//evil.example/", "/"],
    ["?next=/%5Cevil.example/", "/"],
    ["?next=%2F%09%2Fevil.example", "/"],
    ["?next=javascript:alert(1)", "/"],
  ])("of %s is %s", (search, path) => expect(nextPath(search, origin)).toBe(path));
});

describe("signPath", () => {
  it.each([
    ["/", "/login"], ["/login?next=%2Flobby", "/login"], ["/signup", "/login"], ["/loginx", "/login?next=%2Floginx"],
    ["/oauth?a=b&c=d", "/login?next=%2Foauth%3Fa%3Db%26c%3Dd"],
  ])("from %s is %s", (from, to) => expect(signPath("/login", from)).toBe(to));
  it("comes back to where it was", () => {
    const here = "/oauth?scope=a%20b&state=1%2B2";
    expect(nextPath(signPath("/login", here).slice("/login".length), "https://chess.example")).toBe(here);
  });
});

describe("new accounts", () => {
  it.each([
    ["Leonidas", undefined], ["", /choose/], ["a", /at least 2/], ["a".repeat(21), /at most 20/], ["1abc", /start with/], ["a b", /only have/], ["Λεωνίδας", /start with/],
  ])("name %s", (name, problem) => (problem ? expect(nameProblem(name)).toMatch(problem) : expect(nameProblem(name)).toBeUndefined()));
  it.each([
    ["molon labe", undefined], ["", /choose/], ["1234567", /at least 8/], ["👍👍👍👍", /at least 8/], ["LEONIDAS", /user name/],
  ])("password %s", (word, problem) => (problem ? expect(passwordProblem(word, "Leonidas")).toMatch(problem) : expect(passwordProblem(word, "Leonidas")).toBeUndefined()));
});

describe("agentName", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome on Android"],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1", "Safari on iOS"],
    ["curl/8.5.0", "curl"],
    ["", "Unknown program"],
  ])("of %s is %s", (agent, name) => expect(agentName(agent)).toBe(name));
});
