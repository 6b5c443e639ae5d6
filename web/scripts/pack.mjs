// Compresses what the server sends to a page once and for all. Only files whose names change with their content, and
// those of packages, so that no compressed form can be older than its file.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const dist = join(import.meta.dirname, "..", "dist");
const assets = await readdir(join(dist, "assets"));
const files = [
  ...assets.filter((name) => /\.(js|css|svg)$/.test(name)).map((name) => join("assets", name)),
  "docs/swagger-ui.css",
  "docs/swagger-ui-bundle.js",
];
for (const name of files) {
  const plain = await readFile(join(dist, name));
  if (plain.length > 1024) await writeFile(join(dist, `${name}.gz`), await promisify(gzip)(plain, { level: 9 }));
}
