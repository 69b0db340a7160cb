// Core and agent must run anywhere: bundles their doors for a browser, fails on anything that only Node has, and on a
// door that has become too large.
import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const ENTRIES = [
  "src/index.ts",
  "src/core/recover/index.ts",
  "src/core/detect/index.ts",
  "src/core/wire/index.ts",
  "src/agent/index.ts",
  "src/agent/testing/index.ts",
  "src/agent/view/index.ts",
];
/** Largest size of a door with all it needs at once, gzipped; what is loaded on demand is not counted. */
const LIMITS = { "src/agent/index.ts": 30_000, "src/agent/view/index.ts": 5000 };
/** Must not be part of that: they are loaded when first needed. */
const ON_DEMAND = { "src/agent/index.ts": ["src/core/recover/", "@cfworker/json-schema"] };
const builtins = new Set(builtinModules);

for (const entry of ENTRIES.filter((path) => existsSync(path))) {
  const { output } = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "nothing-of-node",
        enforce: "pre",
        resolveId(id, importer) {
          // Vite only warns about these; a warning would go unread.
          if (id.startsWith("node:") || builtins.has(id)) throw new Error(`${importer} imports ${id}`);
        },
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  });
  checkSize(entry, output);
}

function checkSize(entry, output) {
  const limit = LIMITS[entry];
  if (limit === undefined) return;
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set();
  const need = (chunk) => {
    if (chunk === undefined || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) need(chunks.get(name));
  };
  need(output.find((chunk) => chunk.isEntry));
  const size = [...needed].reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  const modules = [...needed].flatMap(({ moduleIds }) => moduleIds);
  for (const name of ON_DEMAND[entry] ?? []) {
    const early = modules.find((id) => id.includes(name));
    if (early !== undefined) throw new Error(`${entry} loads ${early} at once: it must be loaded on demand`);
  }
  console.log(`${entry}: ${size} bytes gzipped, at most ${limit}`);
  if (size > limit)
    throw new Error(`${entry} has become too large for browsers: ${size} bytes gzipped, at most ${limit}`);
}
