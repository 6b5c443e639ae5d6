// Short sounds, made on the spot: no files to load, and no licence to keep.
import { prefs } from "../prefs.svelte";

export type Sound = "move" | "capture" | "check" | "end" | "notice";

interface Tone { readonly hz: number; readonly at: number; readonly seconds: number; readonly loud: number; readonly shape: OscillatorType }

const tones: Readonly<Record<Sound, readonly Tone[]>> = {
  move: [{ hz: 190, at: 0, seconds: 0.06, loud: 0.5, shape: "triangle" }],
  capture: [{ hz: 150, at: 0, seconds: 0.05, loud: 0.6, shape: "square" }, { hz: 95, at: 0.04, seconds: 0.08, loud: 0.6, shape: "triangle" }],
  check: [{ hz: 440, at: 0, seconds: 0.08, loud: 0.35, shape: "triangle" }, { hz: 587, at: 0.08, seconds: 0.12, loud: 0.35, shape: "triangle" }],
  end: [{ hz: 392, at: 0, seconds: 0.14, loud: 0.35, shape: "sine" }, { hz: 294, at: 0.14, seconds: 0.3, loud: 0.35, shape: "sine" }],
  notice: [{ hz: 660, at: 0, seconds: 0.1, loud: 0.3, shape: "sine" }],
};

/** Makes sounds, once the browser lets it: a page may only sound after its reader has touched it. */
export class Sounds {
  enabled: () => boolean;
  #context: AudioContext | undefined;

  constructor(enabled: () => boolean = () => prefs.sounds) {
    this.enabled = enabled;
  }

  play(sound: Sound): void {
    if (!this.enabled() || navigator.userActivation?.hasBeenActive === false) return;
    const context = (this.#context ??= this.#open());
    for (const { hz, at, seconds, loud, shape } of tones[sound]) {
      const start = context.currentTime + at;
      const tone = new OscillatorNode(context, { frequency: hz, type: shape });
      const gain = new GainNode(context, { gain: 0 });
      gain.gain.setValueAtTime(loud * 0.4 * prefs.loudness, start);
      gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
      tone.connect(gain).connect(context.destination);
      tone.start(start);
      tone.stop(start + seconds);
    }
  }

  /** A context whose device fails stays silent for good; the next sound then tries a new one. */
  #open(): AudioContext {
    const context = new AudioContext();
    context.addEventListener("error", () => {
      if (this.#context === context) this.#context = undefined;
    });
    return context;
  }
}
