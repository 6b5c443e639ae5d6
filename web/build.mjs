// Fills dist, which the server embeds: the start page and the reader for the API documentation.
import { cp, mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const here = import.meta.dirname;
const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const dist = join(here, "dist");

await rm(join(dist, "docs"), { recursive: true, force: true });
await mkdir(join(dist, "docs"), { recursive: true });
for (const name of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"]) {
  await cp(join(swagger, name), join(dist, "docs", name));
}
await cp(join(here, "pages"), dist, { recursive: true });
