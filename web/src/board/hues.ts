// The colours of armies where light and dark do not do. Pure.
const hues: Readonly<Record<string, string>> = {
  red: "#e2695c", blue: "#74a6e8", yellow: "#f0cc52", green: "#74b872", white: "#fffaf0", black: "#77716b", purple: "#b98ad6", orange: "#ee9a4d",
};

/** The colours of the sides: what they are called if that is a colour, or else one that no other has. */
export function huesOf(sides: readonly { readonly name: string }[]): readonly string[] {
  const named = sides.map(({ name }) => hues[name.toLowerCase()]);
  const spare = Object.values(hues).filter((hue) => !named.includes(hue));
  return named.map((hue) => hue ?? spare.shift() ?? "#fffaf0");
}
