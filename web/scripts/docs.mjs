// Copies the reader of the API documentation into dist, beside the page that Vite has built.
import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const docs = join(import.meta.dirname, "..", "dist", "docs");
for (const name of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"]) {
  await cp(join(swagger, name), join(docs, name));
}
