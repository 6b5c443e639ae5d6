// Draws the description of the websocket from asyncapi.json, which the server derives from asyncapi.yaml.
const place = document.getElementById("description");

function element(name, text, attributes = {}) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...inline(text ?? ""));
  return e;
}

/** Markdown's **bold** and `code`. */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    const mark = part.startsWith("**") ? ["strong", 2] : part.startsWith("`") ? ["code", 1] : undefined;
    if (!mark) return part;
    const e = document.createElement(mark[0]);
    e.textContent = part.slice(mark[1], -mark[1]);
    return e;
  });
}

const nameOf = (ref) => ref.slice(ref.lastIndexOf("/") + 1);
const anchor = (name) => `schema-${name}`;

/** What a schema allows, in a few words; other schemas as links. */
function kind(schema, own) {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    const link = element("a", name, { href: own.has(name) ? `#${anchor(name)}` : "/docs" });
    return [link];
  }
  if (schema.oneOf) return schema.oneOf.flatMap((s, i) => (i ? [" or ", ...kind(s, own)] : kind(s, own)));
  if (schema.const !== undefined) return [element("code", JSON.stringify(schema.const))];
  if (schema.enum) return [schema.enum.join(", ")];
  if (schema.type === "array") return ["list of ", ...kind(schema.items, own)];
  if (schema.additionalProperties) return ["map to ", ...kind(schema.additionalProperties, own)];
  return [[schema.type].flat().join(" or ")];
}

function fields(schema, own) {
  const rows = Object.entries(schema.properties ?? {});
  if (rows.length === 0) return element("p", schema.type === "object" ? "No fields." : "");
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const title of ["Field", "Value", ""]) head.append(element("th", title, { scope: "col" }));
  const body = table.createTBody();
  for (const [name, field] of rows) {
    const row = body.insertRow();
    row.append(element("td", `\`${name}\`${schema.required?.includes(name) ? "" : " ?"}`));
    const value = document.createElement("td");
    value.append(...kind(field, own));
    row.append(value, element("td", field.description));
  }
  const wide = element("div", "", { class: "wide" });
  wide.append(table);
  return wide;
}

function draw({ info, operations, components }) {
  const { messages, schemas } = components;
  const own = new Set(Object.keys(schemas));
  const shown = new Set();
  place.replaceChildren(...info.description.trim().split(/\n\n/).map((p) => element("p", p.replaceAll("\n", " "))));
  for (const { summary, messages: list } of Object.values(operations)) {
    place.append(element("h2", summary));
    for (const { $ref } of list) {
      const message = messages[nameOf($ref)];
      const name = nameOf(message.payload.properties.d.$ref);
      place.append(element("h3", `\`${message.name}\``, { id: `frame-${nameOf($ref)}` }), element("p", message.summary));
      if (!shown.has(name)) place.append(element("div", "", { id: anchor(name) }), fields(schemas[name], own));
      shown.add(name);
      for (const { payload } of message.examples) {
        const pre = document.createElement("pre");
        pre.append(element("code", ""));
        pre.firstChild.textContent = JSON.stringify(payload);
        pre.tabIndex = 0;
        place.append(pre);
      }
    }
  }
  place.append(element("h2", "What frames are made of"));
  for (const [name, schema] of Object.entries(schemas)) {
    if (shown.has(name)) continue;
    place.append(element("h3", name, { id: anchor(name) }));
    if (schema.description) place.append(element("p", schema.description));
    if (schema.properties) place.append(fields(schema, own));
    else place.append(element("p", schema.enum ? schema.enum.join(", ") : [schema.type].flat().join(" or ")));
  }
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

try {
  const answer = await fetch("/docs/asyncapi.json");
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  draw(await answer.json());
} catch (error) {
  place.prepend(element("p", `The description could not be drawn: ${error.message}`, { role: "alert" }));
}
