// What a token may be used for, in words. The type makes this list and the API's the same.
import type { Schemas } from "./api/client";

export type Scope = Schemas["TokenScope"];

interface Meaning {
  readonly text: string;
  readonly group: ScopeGroup;
}

const groupNames = ["Playing", "Puzzles", "Your account", "Names that Lichess programs ask for; nothing here uses them yet"] as const;
type ScopeGroup = (typeof groupNames)[number];
const [playing, puzzles, own, unused] = groupNames;

const meanings: Readonly<Record<Scope, Meaning>> = {
  "board:play": { text: "Play games as you, and read your chats in them", group: playing },
  "bot:play": { text: "Play games as a bot account, and make one of a new account", group: playing },
  "challenge:read": { text: "See the challenges that you send and get", group: playing },
  "challenge:write": { text: "Send, accept and decline challenges as you", group: playing },
  "puzzle:read": { text: "See which puzzles you have tried", group: puzzles },
  "puzzle:write": { text: "Solve puzzles as you, which moves your puzzle rating", group: puzzles },
  "preference:read": { text: "See your preferences", group: own },
  "preference:write": { text: "Change your preferences", group: own },
  "email:read": { text: "See your e-mail address", group: own },
  "engine:read": { text: "See and use your external engines", group: own },
  "engine:write": { text: "Register, change and remove your external engines", group: own },
  "challenge:bulk": { text: "Make many games for others at once", group: unused },
  "study:read": { text: "Read your private studies", group: unused },
  "study:write": { text: "Write studies as you", group: unused },
  "tournament:write": { text: "Make and join tournaments as you", group: unused },
  "racer:write": { text: "Make and join puzzle races as you", group: unused },
  "team:read": { text: "See your teams", group: unused },
  "team:write": { text: "Join and leave teams as you", group: unused },
  "team:lead": { text: "Manage the teams that you lead", group: unused },
  "follow:read": { text: "See whom you follow", group: unused },
  "follow:write": { text: "Follow people as you", group: unused },
  "msg:write": { text: "Send private messages as you", group: unused },
  "web:mod": { text: "Moderate; for administrators", group: unused },
};

/** What a scope allows, in words; an unknown one says its name. */
export function scopeText(scope: string): string {
  return isScope(scope) ? meanings[scope].text : scope;
}

export function isScope(text: string): text is Scope {
  return Object.hasOwn(meanings, text);
}

/** All scopes by subject, the subjects in the order to show. */
export const scopeGroups: readonly { readonly name: string; readonly used: boolean; readonly scopes: readonly Scope[] }[] = groupNames.map(
  (name) => ({
    name,
    used: name !== unused,
    scopes: (Object.keys(meanings) as Scope[]).filter((scope) => meanings[scope].group === name),
  }),
);

/** What an address such as /account/oauth/token/create?scopes[]=bot:play&description=my+bot fills in. */
export function prefilled(search: string): { readonly description: string; readonly scopes: readonly Scope[] } {
  const query = new URLSearchParams(search);
  const asked = [...query.getAll("scopes[]"), ...query.getAll("scopes")].flatMap((text) => text.split(/[ ,]+/));
  return { description: (query.get("description") ?? "").slice(0, 200), scopes: [...new Set(asked.filter(isScope))] };
}
