// Entry points for web pages must stay small: bundles them for a browser and fails when one exceeds its limit.
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** Gzipped size limit of an entry point with its static imports; and modules that must be loaded on demand instead. */
const ENTRY_POINTS = [
  { entry: "src/agent/index.ts", limit: 60_000, onDemand: ["/src/core/recover/", "/@cfworker/json-schema/"] },
  { entry: "src/agent/view/index.ts", limit: 6000, onDemand: ["/src/core/", "/safe-stable-stringify/"] },
];

for (const { entry, limit, onDemand } of ENTRY_POINTS) {
  const { output } = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  });
  const needed = staticChunks(output);
  const early = needed.flatMap(({ moduleIds }) => moduleIds).find((id) => onDemand.some((part) => id.includes(part)));
  if (early !== undefined) throw new Error(`${entry} imports ${early} statically. Load it on demand.`);
  const size = needed.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  console.log(`${entry}: ${size} bytes gzipped, limit ${limit}`);
  if (size > limit) throw new Error(`${entry} is too large for web pages: ${size} bytes gzipped, limit ${limit}.`);
}

/** The chunk of the entry point, and its static imports. */
function staticChunks(output) {
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
