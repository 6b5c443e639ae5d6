/** How one can play on terms of one's own. */
export const ways = [
  { key: "bot", title: "A bot" },
  { key: "anyone", title: "Anyone" },
  { key: "name", title: "By name" },
  { key: "link", title: "By link" },
] as const;
export type Way = (typeof ways)[number]["key"];
