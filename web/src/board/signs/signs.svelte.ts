// The characters of native men as paths. They come when the first is drawn.
class Signs {
  #outlines: Readonly<Record<string, string>> | undefined = $state.raw();
  #asked = false;

  /** The path of a character, in a box of 256 units around its middle; undefined while it is not there, or if there is none. */
  path(char: string): string | undefined {
    if (!this.#asked) {
      this.#asked = true;
      void import("./outlines").then(({ outlines }) => (this.#outlines = outlines), () => (this.#asked = false));
    }
    return this.#outlines?.[char];
  }
}

export const signs = new Signs();
