import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  // Passes children as arguments instead of a property, which makes the bundle half a kilobyte smaller.
  oxc: {
    jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
    jsxInject: 'import { h, Fragment } from "preact"',
  },
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    // Browsers that know light-dark(); older targets would have it rewritten into something larger.
    target: ["chrome123", "firefox128", "safari17.5"],
    // The content security policy allows files of this origin and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // For work on the page: `npx vite dashboard` beside a running Toolmend.
  server: { proxy: { "/api": { target: "http://127.0.0.1:4100", changeOrigin: true } } },
});
