// How people want the page to be. Whoever is signed in has the same settings everywhere; everybody else has them in this
// browser, where those of the signed-in are remembered too, so that the page does not change its colours while it loads.
import { api, errorText, type Schemas } from "./api/client";

type All = Required<Schemas["Preferences"]>;

/** The settings that this page follows. Their names and numbers are the API's. */
export type Preferences = Pick<
  All,
  "scheme" | "coords" | "highlight" | "destination" | "animation" | "premove" | "autoQueen" | "confirmResign" | "soundSet" | "volume" | "pieceSet"
  | "zen" | "ratings" | "clockTenths" | "autoThreefold" | "takeback" | "moretime" | "challenge" | "follow" | "submitMove" | "blindfold"
  | "keyboardMove"
>;

const usual: Preferences = {
  scheme: "system",
  coords: 1,
  highlight: true,
  destination: true,
  animation: 2,
  premove: true,
  autoQueen: 2,
  confirmResign: 1,
  soundSet: "standard",
  volume: 70,
  pieceSet: "hoplite",
  zen: 0,
  ratings: 1,
  clockTenths: 1,
  autoThreefold: 2,
  takeback: 3,
  moretime: 3,
  challenge: 4,
  follow: true,
  submitMove: 2,
  blindfold: 0,
  keyboardMove: 0,
};

const key = "hoplite.preferences";

/** Takes of stored or received settings those that are known and of the right type, over the usual ones. */
export function read(from: unknown): Preferences {
  const given = (typeof from === "object" && from !== null ? from : {}) as Readonly<Record<string, unknown>>;
  const taken = Object.entries(usual).map(([name, value]) => [name, typeof given[name] === typeof value ? given[name] : value]);
  return Object.fromEntries(taken) as Preferences;
}

function stored(): Preferences {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? "null"));
  } catch {
    return { ...usual };
  }
}

function store(values: Preferences): void {
  try {
    localStorage.setItem(key, JSON.stringify(values));
  } catch {
    // A browser that keeps nothing: the settings last as long as the page.
  }
}

/** How long a man glides, in milliseconds, by the number of the setting. */
const glides = [0, 100, 200, 450] as const;

/** The speeds whose moves may be confirmed, with their part of the setting's sum. */
export const confirmed = { unlimited: 1, correspondence: 2, classical: 4, rapid: 8, blitz: 16 } as const;

class Prefs {
  #values: Preferences = $state(stored());
  #account: string | undefined;

  get values(): Readonly<Preferences> {
    return this.#values;
  }
  get coordinates(): boolean {
    return this.#values.coords > 0;
  }
  get sounds(): boolean {
    return this.#values.soundSet !== "silent" && this.#values.volume > 0;
  }
  /** How loud sounds are, from 0 to 1. */
  get loudness(): number {
    return this.sounds ? this.#values.volume / 100 : 0;
  }
  /** Whether men are drawn as where their game comes from, if they have such drawings. */
  get nativeMen(): boolean {
    return this.#values.pieceSet === "native";
  }
  /** Whether a man that gets to the end becomes the usual piece without a question. */
  get promotesAtOnce(): boolean {
    return this.#values.autoQueen === 3;
  }
  /** Whether a man whose move was made ahead becomes the usual piece without a question. */
  get promotesAhead(): boolean {
    return this.#values.autoQueen !== 1;
  }
  /** Whether the men of a game that one plays are not drawn. */
  get blindfold(): boolean {
    return this.#values.blindfold === 1;
  }
  /** Whether moves can be typed below the board. */
  get typesMoves(): boolean {
    return this.#values.keyboardMove === 1;
  }

  /** Whether ratings are shown, in a game or elsewhere. */
  showsRatings(inGame: boolean): boolean {
    return this.#values.ratings === 1 || (this.#values.ratings === 2 && !inGame);
  }
  /** Whether the page shows little but the board while the reader plays, or looks at a game otherwise. */
  zenFor(playing: boolean): boolean {
    return this.#values.zen === 1 || (this.#values.zen === 2 && playing);
  }
  /** Whether a clock with so much left shows tenths of seconds. */
  showsTenths(ms: number): boolean {
    return this.#values.clockTenths === 2 || (this.#values.clockTenths === 1 && ms < 10_000);
  }
  /** Whether a draw by repetition is claimed without a question, with so much time left. */
  claimsAtOnce(ms: number): boolean {
    return this.#values.autoThreefold === 3 || (this.#values.autoThreefold === 2 && ms < 30_000);
  }
  /** Whether the opponent may ask to take a move back. */
  allowsTakebacks(rated: boolean): boolean {
    return this.#values.takeback === 3 || (this.#values.takeback === 2 && !rated);
  }
  /** Whether the players may give each other time. */
  givesTime(rated: boolean): boolean {
    return this.#values.moretime === 3 || (this.#values.moretime === 2 && !rated);
  }
  /** Whether a move of a game is sent only when it has been confirmed. */
  confirmsMoves({ control, speed }: { readonly control: { readonly type: string }; readonly speed: string }): boolean {
    const kind = control.type === "unlimited" ? control.type : speed;
    const part = kind in confirmed ? confirmed[kind as keyof typeof confirmed] : 0;
    return (this.#values.submitMove & part) !== 0;
  }

  /** Takes the settings of the account that has signed in. */
  async follow(account: string | undefined): Promise<void> {
    if (account === this.#account) return;
    this.#account = account;
    if (account === undefined) return;
    const { data } = await api.GET("/api/account/preferences");
    if (!data || this.#account !== account) return;
    this.#values = read(data.prefs);
    store(this.#values);
  }

  /** Changes some settings. Returns what went wrong, in which case nothing has changed. */
  async change(change: Partial<Preferences>): Promise<string | undefined> {
    const before = this.#values;
    this.#values = { ...before, ...change };
    if (this.#account !== undefined) {
      const failure = await this.#send(change);
      if (failure !== undefined) {
        this.#values = before;
        return failure;
      }
    }
    store(this.#values);
    return undefined;
  }

  async #send(change: Partial<Preferences>): Promise<string | undefined> {
    try {
      const { error } = await api.POST("/api/account/preferences", { body: change });
      return error === undefined ? undefined : errorText(error);
    } catch {
      return "The server cannot be reached.";
    }
  }

  /** Makes the design tokens follow the settings. */
  apply(root: HTMLElement): void {
    const { scheme, animation, highlight, destination } = this.#values;
    root.dataset["scheme"] = scheme;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    set(root, "--glide", still ? undefined : `${glides[animation] ?? glides[2]}ms`);
    set(root, "--mark-last", highlight ? undefined : "transparent");
    set(root, "--mark-target", destination ? undefined : "transparent");
  }
}

function set(root: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) root.style.removeProperty(name);
  else root.style.setProperty(name, value);
}

export const prefs = new Prefs();
