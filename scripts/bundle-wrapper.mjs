// One file for the wrapper of MCP servers: loading its modules one by one takes 5 MB per server and session.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
await build({
  root,
  configFile: false,
  logLevel: "warn",
  build: {
    ssr: "dist/mcp/wrap/run-wrapper.js",
    outDir: "dist/mcp",
    emptyOutDir: false,
    copyPublicDir: false,
    minify: true,
    rolldownOptions: { output: { entryFileNames: "wrapper.mjs", chunkFileNames: "wrapper-[name].mjs" } },
  },
});
