import { defineConfig } from "vitest/config";

// The contact sheet is no test of the page: it is for people to look at.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite",
  test: { include: ["sheet.ts"], hookTimeout: 60_000 },
});
