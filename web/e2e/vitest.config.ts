import { defineConfig } from "vitest/config";

// The tests in a browser. They share one machine with a server and Chromium, so they run one after the other.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite",
  test: {
    include: ["**/*.e2e.ts"],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
