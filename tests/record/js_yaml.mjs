// How js-yaml reads frontmatter: version 3 as gray-matter of OpenCode has it, version 4 as Gemini CLI has it. In an
// empty folder, `npm install three@npm:js-yaml@3.14.2 four@npm:js-yaml@4.1.1`; then, there, `node <this>
// <tests/fixtures/js_yaml.json>` asks both the same as before, and writes what they say. A new case needs its `yaml`
// alone.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(join(process.cwd(), "index.js"));
const [three, four] = [load("three").safeLoad, load("four").load];

// The fields of a map, with null for values that are not text; nothing if it throws, and no fields if it is not a map.
function fields(read, yaml) {
  let value;
  try {
    value = read(yaml);
  } catch {
    return null;
  }
  if (Object.prototype.toString.call(value) !== "[object Object]") return {};
  const text = (inner) => (typeof inner === "string" ? inner.toWellFormed() : null);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, text(inner)]));
}

const file = process.argv[2];
const cases = JSON.parse(readFileSync(file, "utf8"));
const said = cases.map(({ yaml }) => ({ yaml, three: fields(three, yaml), four: fields(four, yaml) }));
writeFileSync(file, `[\n${said.map((line) => ` ${JSON.stringify(line)}`).join(",\n")}\n]\n`);
