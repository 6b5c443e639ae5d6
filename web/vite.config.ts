import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const server = process.env["HOPLITE_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    // The folder holds a committed .keep, so that Go can embed it before the page is built.
    emptyOutDir: false,
    assetsDir: "assets",
    modulePreload: { polyfill: false },
  },
  // `npm run dev` serves the page with hot reload and passes everything else to a running server.
  server: { proxy: { "/api": { target: server, ws: true }, "/docs": server, "/engine": server, "/game": server, "/oauth": server } },
});
