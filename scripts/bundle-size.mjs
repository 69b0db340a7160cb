// Doors that are meant for pages must stay small: bundles them for a browser and fails when one has become too large.
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** What a door may weigh with all it needs at once, gzipped; and what must not be part of that, but loaded on demand. */
const DOORS = [
  { entry: "src/agent/index.ts", limit: 50_000, onDemand: ["/src/core/recover/", "/@cfworker/json-schema/"] },
  { entry: "src/agent/view/index.ts", limit: 5000, onDemand: ["/src/core/", "/safe-stable-stringify/"] },
];

for (const { entry, limit, onDemand } of DOORS) {
  const { output } = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  });
  const needed = neededAtOnce(output);
  const early = needed.flatMap(({ moduleIds }) => moduleIds).find((id) => onDemand.some((part) => id.includes(part)));
  if (early !== undefined) throw new Error(`${entry} loads ${early} at once: it must be loaded on demand.`);
  const size = needed.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  console.log(`${entry}: ${size} bytes gzipped, at most ${limit}`);
  if (size > limit)
    throw new Error(`${entry} has become too large for pages: ${size} bytes gzipped, at most ${limit}.`);
}

/** The chunk of the door, and those that it imports before anything runs. */
function neededAtOnce(output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set();
  const need = (chunk) => {
    if (chunk === undefined || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) need(chunks.get(name));
  };
  need(output.find((chunk) => chunk.isEntry));
  return [...needed];
}
