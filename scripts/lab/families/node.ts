// Node.js: uncaught errors, modules, promises, assertions, and its command line.
import { bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

const N = { needs: ["node"] } as const;

/** Code without `require` also runs as the argument of a tool. */
function throws(
  name: string,
  code: string,
  category: Category,
  fact: string,
  rest: Partial<Case> = {},
): readonly Case[] {
  const script = bad("node", name, "node @stem@.js", category, fact, { ...N, files: { "@stem@.js": code }, ...rest });
  if (code.includes("require(")) return [script];
  const tool = { ...N, files: { "main.mjs": code }, tool: "node", seeds: 1, maskable: false } as const;
  return [script, bad("node", `${name}-tool`, "node main.mjs", category, fact, { ...tool, ...rest })];
}

export const NODE: Family = {
  name: "node",
  cases: [
    ...throws(
      "throw-error",
      "function run() {\n  throw new Error('@msg@');\n}\nconsole.log('start');\nrun();\n",
      "error",
      "@msg@",
    ),
    ...throws("type-error", "const order = undefined;\nconsole.log(order.@id@);\n", "error", "@id@"),
    ...throws("reference-error", "console.log(@id@);\n", "error", "@id@ is not defined", { also: ["not_found"] }),
    ...throws("not-a-function", "const api = {};\napi.@id@();\n", "error", "@id@ is not a function"),
    ...throws("range-error", "new Array(-1);\n", "error", "Invalid array length", { also: ["invalid_arguments"] }),
    ...throws("json", "JSON.parse('{\"@id@\": }');\n", "error", "Unexpected token"),
    ...throws(
      "rejection",
      "async function load() {\n  await null;\n  throw new Error('@msg@');\n}\nload();\n",
      "error",
      "@msg@",
    ),
    ...throws("rejection-string", "Promise.reject('@msg@');\n", "error", "@msg@"),
    ...throws("throw-object", "throw { code: @n@, reason: '@msg@' };\n", "error", "@msg@"),
    ...throws(
      "own-class",
      "class @type@Error extends Error { name = '@type@Error' }\nthrow new @type@Error('@msg@');\n",
      "error",
      "@msg@",
    ),
    ...throws("cause", "throw new Error('@msg@', { cause: new Error('@msg2@') });\n", "error", "@msg@"),
    ...throws(
      "file-missing",
      "const fs = require('fs');\nfs.readFileSync('@dir@/@missing@');\n",
      "not_found",
      "@missing@",
    ),
    ...throws(
      "file-promise",
      "const fs = require('fs/promises');\nfs.readFile('@missing@').then(console.log);\n",
      "not_found",
      "@missing@",
    ),
    ...throws("permission", "require('fs').writeFileSync('/etc/@file@', 'x');\n", "permission_denied", "/etc/@file@"),
    ...throws("is-a-folder", "require('fs').readFileSync('/usr');\n", "error", "EISDIR", {
      also: ["precondition", "invalid_arguments"],
    }),
    ...throws("module-missing", "require('@pkg@');\n", "not_found", "@pkg@", { also: ["precondition"] }),
    ...throws("module-relative", "require('./@mod@');\n", "not_found", "@mod@", { also: ["precondition"] }),
    ...throws("syntax", "const a = ;\n", "error", "Unexpected token", { also: ["build_failure"] }),
    ...throws("syntax-brace", "function run() {\n  return 1;\n", "error", "Unexpected end of input", {
      also: ["build_failure"],
    }),
    ...throws(
      "fetch-refused",
      "fetch('http://127.0.0.1:@closed@/v1').then((r) => console.log(r.status));\n",
      "network",
      "ECONNREFUSED",
    ),
    ...throws("fetch-dns", "fetch('http://@host@/').then((r) => console.log(r.status));\n", "network", "@host@", {
      also: ["not_found"],
    }),
    ...throws(
      "fetch-status",
      "fetch('http://127.0.0.1:@http@/status/502').then((r) => { if (!r.ok) throw new Error(`HTTP @usd@{r.status}: @usd@{r.statusText}`); });\n",
      "http_server_error",
      "502",
    ),
    ...throws(
      "fetch-404",
      "fetch('http://127.0.0.1:@http@/status/404').then((r) => { if (!r.ok) throw new Error('Request failed with status ' + r.status); });\n",
      "not_found",
      "404",
      { also: ["http_client_error"] },
    ),
    ...throws(
      "fetch-timeout",
      "fetch('http://127.0.0.1:@http@/slow', { signal: AbortSignal.timeout(300) });\n",
      "timeout",
      "aborted due to timeout",
      { also: ["cancelled"] },
    ),
    ...throws(
      "fetch-json",
      "fetch('http://127.0.0.1:@http@/html').then((r) => r.json());\n",
      "error",
      "is not valid JSON",
    ),
    ...throws("fetch-reset", "fetch('http://127.0.0.1:@reset@/');\n", "network", "ECONNRESET"),
    ...throws(
      "axios-500",
      "require('axios').get('http://127.0.0.1:@http@/status/500').catch((e) => { console.error(e.message); process.exit(1); });\n",
      "http_server_error",
      "status code 500",
    ),
    ...throws(
      "axios-403",
      "require('axios').get('http://127.0.0.1:@http@/status/403').catch((e) => { console.error(`@usd@{e.name}: @usd@{e.message}`); process.exit(1); });\n",
      "permission_denied",
      "403",
      { also: ["http_client_error", "auth"] },
    ),
    ...throws(
      "axios-refused",
      "require('axios').get('http://127.0.0.1:@closed@/').catch((e) => { console.error(`@usd@{e.message}`); process.exit(1); });\n",
      "network",
      "ECONNREFUSED",
    ),
    ...throws("listen-taken", "require('http').createServer().listen(@http@, '127.0.0.1');\n", "error", "EADDRINUSE", {
      also: ["precondition", "network"],
    }),
    ...throws("spawn-missing", "require('child_process').spawn('@stem@-cli');\n", "not_found", "@stem@-cli"),
    ...throws(
      "exec-sync",
      "require('child_process').execSync('cat @missing@', { stdio: 'pipe' });\n",
      "not_found",
      "@missing@",
      { also: ["exit_code", "error"] },
    ),
    ...throws("assert", "require('assert').strictEqual(@n@, 40, '@msg@');\n", "error", "@msg@", {
      also: ["test_failure"],
    }),
    ...throws(
      "assert-deep",
      "require('assert').deepStrictEqual({ a: @n@ }, { a: 40 });\n",
      "error",
      "Expected values to be strictly deep-equal",
      { also: ["test_failure"] },
    ),
    ...throws("exit-4", "console.log('migrated 3 tables');\nprocess.exit(4);\n", "exit_code", ""),
    ...throws("own-message", "console.error('✖ @msg@');\nprocess.exitCode = 1;\n", "error", "@msg@", {
      also: ["exit_code"],
    }),
    ...throws(
      "heap",
      "const v8 = require('v8');\nv8.setFlagsFromString('--max-old-space-size=20');\nconst a = [];\nfor (;;) a.push(new Array(1000).fill('@stem@' + a.length));\n",
      "crash",
      "heap out of memory",
      { seeds: 1 },
    ),
    ...throws("abort", "process.abort();\n", "crash", "", { signs: ["Aborted", "Native stack"], seeds: 1 }),
    ...throws("stack", "function f() { return f() + 1; }\nf();\n", "error", "Maximum call stack size exceeded", {
      also: ["crash"],
    }),
    ...throws(
      "top-level-await",
      "setTimeout(() => { throw new Error('@msg@'); }, 10);\nconsole.log('scheduled');\n",
      "error",
      "@msg@",
    ),
    ...throws(
      "zod",
      "const { z } = require('zod');\nz.object({ @id@: z.string() }).parse({});\n",
      "invalid_arguments",
      "@id@",
      { also: ["error"] },
    ),
    ...throws(
      "aggregate",
      "Promise.any([Promise.reject(new Error('@msg@'))]);\n",
      "error",
      "All promises were rejected",
    ),
    bad("node", "script-missing", "node @missing@.js", "not_found", "@missing@.js", N),
    bad("node", "bad-option", "node --chek @stem@.js", "invalid_arguments", "--chek", N),
    bad("node", "check-syntax", "node --check @stem@.js", "build_failure", "@stem@.js", {
      ...N,
      files: { "@stem@.js": "let let = 1;\n" },
      also: ["error"],
    }),
    bad("node", "eval", "node -e \"require('@pkg@')\"", "not_found", "@pkg@", { ...N, also: ["precondition"] }),
    bad("node", "esm-missing", "node main.mjs", "not_found", "@pkg@", {
      ...N,
      files: { "main.mjs": "import x from '@pkg@';\n" },
      also: ["precondition"],
    }),
    bad("node", "esm-name", "node main.mjs", "error", "@id@", {
      ...N,
      files: { "main.mjs": "import { @id@ } from './lib.mjs';\n", "lib.mjs": "export const a = 1;\n" },
      also: ["not_found", "build_failure"],
    }),
    bad("node", "esm-in-cjs", "node main.cjs", "error", "import statement outside a module", {
      ...N,
      files: { "main.cjs": "import x from 'fs';\n" },
      also: ["build_failure"],
    }),
    bad("tsx", "throws", "tsx main.ts", "error", "@msg@", {
      files: { "main.ts": "const x: number = 1;\nthrow new Error('@msg@');\n" },
    }),
    bad("tsx", "syntax", "tsx main.ts", "build_failure", "main.ts", {
      files: { "main.ts": "const x: = 1;\n" },
      also: ["error"],
    }),
    bad("tsx", "missing", "tsx @missing@.ts", "not_found", "@missing@", {}),

    fine("node", "plain", "node -e \"console.log('errors: 0, failed: 0')\"", N),
    fine("node", "caught", "node run.js", {
      ...N,
      files: {
        "run.js":
          "try { JSON.parse('{') } catch (e) { console.log('ignored line 4:', e.message) }\nconsole.log('parsed 90 lines');\n",
      },
    }),
    fine("node", "stderr-warning", "node run.js", {
      ...N,
      files: {
        "run.js": "process.emitWarning('@id@ is deprecated', 'DeprecationWarning');\nconsole.log('listening');\n",
      },
    }),
    fine("node", "logged-error-retried", "node run.js", {
      ...N,
      files: {
        "run.js":
          "console.error('Error: @msg@ (attempt 1 of 3)');\nconsole.error('Error: @msg@ (attempt 2 of 3)');\nconsole.log('saved on attempt 3');\n",
      },
    }),
    fine("node", "prints-error-object", "node run.js", {
      ...N,
      files: { "run.js": "const results = { ok: true, error: null, failures: [] };\nconsole.log(results);\n" },
    }),
    fine("node", "fetch-ok", "node run.mjs", {
      ...N,
      files: {
        "run.mjs":
          "const r = await fetch('http://127.0.0.1:@http@/status/200');\nconsole.log(r.status, await r.text());\n",
      },
    }),
    fine("node", "fetch-expected-404", "node run.mjs", {
      ...N,
      files: {
        "run.mjs":
          "const r = await fetch('http://127.0.0.1:@http@/status/404');\nconsole.log('removed page answers', r.status, 'as expected');\n",
      },
    }),
    fine("node", "expected-rejection", "node run.js", {
      ...N,
      files: {
        "run.js": "Promise.reject(new Error('@msg@')).catch((e) => console.log('rejected as expected:', e.message));\n",
      },
    }),
    fine("node", "check-ok", "node --check run.js && echo 'syntax ok, 0 errors'", {
      ...N,
      files: { "run.js": "let a = 1;\n" },
    }),
    fine("node", "silent", "node -e 0", N),
    fine("node", "log-lines", "node run.js", {
      ...N,
      files: {
        "run.js":
          "for (const l of ['debug', 'info', 'error']) console.log(JSON.stringify({ level: l, msg: 'level test', count: 0 }));\nconsole.log('logger self-test passed');\n",
      },
    }),
    fine("node", "table", "node run.js", {
      ...N,
      files: { "run.js": "console.table([{ rule: 'no-undef', errors: 0 }, { rule: 'eqeqeq', errors: 0 }]);\n" },
    }),
    fine("node", "tool-plain", "node main.mjs", {
      ...N,
      tool: "node",
      maskable: false,
      files: { "main.mjs": "console.log(['ENOENT', 'EACCES'].map((c) => c + ' handled').join('\\n'));\n" },
    }),
  ],
};
