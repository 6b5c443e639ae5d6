// Which page an address shows. Pages load when they are first needed; their components are the only code that knows
// what a page needs.
import type { Component } from "svelte";

type Params = Readonly<Record<string, string>>;
type PageModule = { default: Component<Params> };

interface Route {
  readonly pattern: RegExp;
  readonly load: () => Promise<unknown>;
}

/** The page that an address stands for. */
export interface Match {
  readonly load: () => Promise<PageModule>;
  readonly params: Params;
}

// Game ids have eight characters and at least one digit, so that they never hide a page with a name of letters.
const routes: readonly Route[] = [
  { pattern: /^\/lobby$/, load: () => import("./pages/Lobby.svelte") },
  { pattern: /^\/players$/, load: () => import("./pages/Players.svelte") },
  { pattern: /^\/$/, load: () => import("./pages/Home.svelte") },
  { pattern: /^\/paste$/, load: () => import("./pages/Paste.svelte") },
  { pattern: /^\/tv(?:\/(?<channel>\w+))?$/, load: () => import("./pages/TV.svelte") },
  { pattern: /^\/login$/, load: () => import("./pages/Login.svelte") },
  { pattern: /^\/signup$/, load: () => import("./pages/Signup.svelte") },
  { pattern: /^\/account(?:\/oauth\/token)?$/, load: () => import("./pages/Account.svelte") },
  { pattern: /^\/account\/oauth\/token\/create$/, load: () => import("./pages/NewToken.svelte") },
  { pattern: /^\/admin$/, load: () => import("./pages/Admin.svelte") },
  { pattern: /^\/password\/reset$/, load: () => import("./pages/ResetPassword.svelte") },
  { pattern: /^\/email\/confirm$/, load: () => import("./pages/ConfirmEmail.svelte") },
  { pattern: /^\/oauth$/, load: () => import("./pages/Consent.svelte") },
  { pattern: /^\/variant\/(?<key>\w+)$/, load: () => import("./pages/Variant.svelte") },
  { pattern: /^\/training(?:\/(?<id>\w+))?$/, load: () => import("./pages/Training.svelte") },
  { pattern: /^\/analysis\/(?<key>\w+)$/, load: () => import("./pages/Analysis.svelte") },
  { pattern: /^\/play\/(?<key>\w+)$/, load: () => import("./pages/SameDevice.svelte") },
  { pattern: /^\/@\/(?<name>[A-Za-z][A-Za-z0-9_-]{1,19})$/, load: () => import("./pages/Profile.svelte") },
  { pattern: /^\/(?<id>(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8})(?:\/(?:white|black))?$/, load: () => import("./pages/Game.svelte") },
];
const missing: Route = { pattern: /^/, load: () => import("./pages/NotFound.svelte") };

/** Finds the page for a path. */
export function match(path: string): Match {
  const route = routes.find(({ pattern }) => pattern.test(path)) ?? missing;
  const groups = route.pattern.exec(path)?.groups ?? {};
  const params = Object.fromEntries(Object.entries(groups).filter(([, value]) => value !== undefined));
  // The router alone pairs parameters with pages, so the cast stands in one place.
  return { load: route.load as () => Promise<PageModule>, params };
}

/** Goes to an address of this site without loading the page anew. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}
