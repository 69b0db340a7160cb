// Core, agent and adapters must run anywhere: bundles their entry points for a browser and fails on Node-only code.
import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { build } from "vite";

const ENTRIES = [
  "src/index.ts",
  "src/core/recover/index.ts",
  "src/agent/testing/index.ts",
  "src/agent/view/index.ts",
  "src/core/detect/index.ts",
  "src/core/wire/index.ts",
  "src/agent/index.ts",
  "src/adapters/fetch/index.ts",
  "src/adapters/openai/index.ts",
  "src/adapters/anthropic/index.ts",
  "src/adapters/mcp/index.ts",
  "src/adapters/reporter/index.ts",
];
const builtins = new Set(builtinModules);

for (const entry of ENTRIES.filter((path) => existsSync(path))) {
  await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "nothing-of-node",
        enforce: "pre",
        resolveId(id, importer) {
          // Vite only warns about these, and warnings are overlooked.
          if (id.startsWith("node:") || builtins.has(id)) throw new Error(`${importer} imports ${id}`);
        },
      },
    ],
    build: { write: false, lib: { entry, formats: ["es"] } },
  });
}
