// What the forms about accounts have in common.
import { errorText } from "./api/client";

/** What is wrong with a form: with its fields by name, and with the whole. */
export interface Problems {
  readonly fields: Readonly<Record<string, string>>;
  readonly form: string | undefined;
}

export const noProblems: Problems = { fields: {}, form: undefined };

/** Sorts an error of the API by the fields that have a place on the page; the rest is about the whole form. */
export function problems(error: unknown, labels: Readonly<Record<string, string>>): Problems {
  const said = (error as { error?: unknown } | null | undefined)?.error;
  if (typeof said !== "object" || said === null) return { fields: {}, form: errorText(error) };
  const fields: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, texts] of Object.entries(said)) {
    const label = labels[name];
    const first: unknown = Array.isArray(texts) ? texts[0] : texts;
    if (label !== undefined && typeof first === "string") fields[name] = `${label} ${first}.`;
    else rest[name] = texts;
  }
  return { fields, form: Object.keys(rest).length > 0 ? errorText({ error: rest }) : undefined };
}

/** What is wrong with a name for a new account, before the server is asked. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "Please choose a user name.";
  if (name.length < 2) return "User name must have at least 2 characters.";
  if (name.length > 20) return "User name must have at most 20 characters.";
  if (!/^[a-z]/i.test(name)) return "User name must start with a letter from a to z.";
  if (!/^[a-z0-9_-]+$/i.test(name)) return "User name may only have letters from a to z, digits, _ and -.";
  return undefined;
}

/** What is wrong with a new password, before the server is asked. */
export function passwordProblem(password: string, name = ""): string | undefined {
  if (password === "") return "Please choose a password.";
  if ([...password].length < 8) return "Password must have at least 8 characters.";
  if (name !== "" && password.toLowerCase() === name.toLowerCase()) return "Password must not be the user name.";
  return undefined;
}

/** The address within this site to go to after signing in; anything else leads to the start page. */
export function nextPath(search: string, origin: string = location.origin): string {
  const next = new URLSearchParams(search).get("next") ?? "";
  if (!next.startsWith("/")) return "/";
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : "/";
  } catch {
    return "/";
  }
}

/** The address of the form that signs people in (or up) and then brings them to a path. */
export function signPath(form: "/login" | "/signup", next: string): string {
  return /^\/(login|signup)?([?#]|$)/.test(next) ? form : `${form}?next=${encodeURIComponent(next)}`;
}

/** A short name for the program that opened a session: "Firefox on Linux". */
export function agentName(agent: string): string {
  const browsers: readonly (readonly [RegExp, string])[] = [
    [/Edg(e|A|iOS)?\//, "Edge"], [/OPR\//, "Opera"], [/(Firefox|FxiOS)\//, "Firefox"], [/(HeadlessChrome|Chrome|CriOS)\//, "Chrome"],
    [/Version\/.*Safari\//, "Safari"],
  ];
  const systems: readonly (readonly [RegExp, string])[] = [
    [/Android/, "Android"], [/iPhone|iPad|iOS/, "iOS"], [/Windows/, "Windows"], [/Mac OS X|Macintosh/, "macOS"], [/CrOS/, "ChromeOS"], [/Linux/, "Linux"],
  ];
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined) return agent === "" ? "Unknown program" : (agent.split(/[ /]/, 1)[0] ?? agent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** A moment as the reader's language writes it. */
export function when(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
