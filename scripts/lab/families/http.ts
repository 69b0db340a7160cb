// HTTP clients against local servers: curl, wget, and fetching tools with wordings of their own.
import { bad, fine } from "../builders.ts";
import type { Category, Family } from "../types.ts";

const URL = "http://127.0.0.1:@http@";
const STATUSES: readonly (readonly [number, Category, readonly Category[]])[] = [
  [400, "http_client_error", ["invalid_arguments"]],
  [401, "auth", ["http_client_error"]],
  [403, "permission_denied", ["http_client_error", "auth"]],
  [404, "not_found", ["http_client_error"]],
  [409, "http_client_error", ["precondition"]],
  [413, "oversized", ["http_client_error"]],
  [422, "http_client_error", ["invalid_arguments"]],
  [429, "rate_limited", ["http_client_error"]],
  [500, "http_server_error", []],
  [502, "http_server_error", []],
  [503, "http_server_error", []],
  [504, "http_server_error", ["timeout"]],
];

export const HTTP: Family = {
  name: "http",
  cases: [
    ...STATUSES.flatMap(([status, category, also]) => [
      bad("curl", `fail-${status}`, `curl -fsS ${URL}/status/${status}`, category, String(status), { also, seeds: 1 }),
      // Without --fail the exit status is 0 although the server refused: the body is all there is.
      bad("curl", `body-${status}`, `curl -sS -i ${URL}/status/${status}`, category, String(status), {
        also: [...also, "error"],
        exit: 0,
        seeds: 1,
        maskable: false,
      }),
      bad("wget", `status-${status}`, `wget -t1 -O- ${URL}/status/${status}`, category, String(status), {
        also,
        seeds: 1,
        signs: ["ERROR"],
        ...(status % 3 === 2 && { localized: true }),
      }),
      bad("python3", `urllib-${status}`, "python3 fetch.py", category, String(status), {
        also,
        seeds: 1,
        files: {
          "fetch.py": `import sys, urllib.request, urllib.error\ntry:\n    urllib.request.urlopen('${URL}/status/${status}')\nexcept urllib.error.HTTPError as e:\n    print(f'Failed to fetch {e.url}: status code {e.code}')\n    sys.exit(1)\n`,
        },
      }),
      bad("node", `fetch-${status}`, "node fetch.mjs", category, String(status), {
        also,
        seeds: 1,
        files: {
          "fetch.mjs": `const r = await fetch('${URL}/status/${status}');\nif (!r.ok) {\n  console.log(JSON.stringify({ error: true, status: r.status, statusText: r.statusText, body: (await r.text()).slice(0, 80) }));\n  process.exit(1);\n}\n`,
        },
      }),
      bad("node", `axios-${status}`, "node fetch.cjs", category, String(status), {
        also,
        seeds: 1,
        files: {
          "fetch.cjs": `require('axios').get('${URL}/status/${status}').catch((e) => { console.error(String(e)); process.exit(1); });\n`,
        },
      }),
    ]),
    bad("curl", "refused", "curl -sS http://127.0.0.1:@closed@/health", "network", "@closed@", { exit: 7 }),
    bad("curl", "refused-progress", "curl http://127.0.0.1:@closed@/health", "network", "@closed@", { exit: 7 }),
    bad("curl", "dns", "curl -sS https://@host@/api", "network", "@host@", { exit: 6, also: ["not_found"] }),
    bad("curl", "timeout", `curl -sS --max-time 1 ${URL}/slow`, "timeout", "timed out", { exit: 28 }),
    bad("curl", "silent-timeout", `curl -s --max-time 1 ${URL}/slow`, "timeout", "", { exit: 28, also: ["exit_code"] }),
    bad("curl", "silent-refused", "curl -s http://127.0.0.1:@closed@/", "network", "", {
      exit: 7,
      also: ["exit_code"],
    }),
    bad("curl", "reset", "curl -sS http://127.0.0.1:@reset@/", "network", "curl: (", {}),
    bad("curl", "cut", `curl -sS ${URL}/cut`, "network", "curl: (18)", { also: ["error"] }),
    bad("curl", "redirects", `curl -sSL ${URL}/loop`, "error", "redirects", {
      also: ["network", "http_client_error"],
      exit: 47,
    }),
    bad("curl", "bad-url", "curl -sS 'htp://@host@/'", "invalid_arguments", "htp", { exit: 1, also: ["error"] }),
    bad("curl", "tls", `curl -sS https://127.0.0.1:@http@/`, "network", "curl: (35)", { also: ["error"] }),
    bad("curl", "bad-option", "curl --@stem@ x", "invalid_arguments", "--@stem@", { exit: 2 }),
    bad("curl", "write-refused", `curl -sS -o /etc/@file@ ${URL}/status/200`, "permission_denied", "curl: (23)", {
      also: ["error"],
    }),
    bad("curl", "upload-missing", `curl -sS -T @missing@ ${URL}/`, "not_found", "@missing@", { exit: 26 }),
    bad("curl", "file-url", "curl -sS file:///srv/@missing@", "not_found", "@missing@", { exit: 37 }),
    bad("wget", "refused", "wget http://127.0.0.1:@closed@/@file@", "network", "@closed@", {
      localized: true,
      exit: 4,
    }),
    bad("wget", "quiet-refused", "wget -q http://127.0.0.1:@closed@/@file@", "network", "", {
      exit: 4,
      also: ["exit_code"],
    }),
    bad("wget", "dns", "wget http://@host@/@file@", "network", "@host@", {
      localized: true,
      exit: 4,
      also: ["not_found"],
    }),
    bad("wget", "timeout", `wget -T1 -t1 ${URL}/slow`, "timeout", "/slow", { localized: true, also: ["network"] }),
    bad("wget", "bad-option", "wget --@stem@", "invalid_arguments", "--@stem@", { localized: true, exit: 2 }),
    bad("wget", "no-url", "wget", "invalid_arguments", "wget", { localized: true, signs: ["Usage"] }),
    bad("wget", "write-refused", `wget -O /etc/@file@ ${URL}/status/200`, "permission_denied", "/etc/@file@", {
      localized: true,
      also: ["error"],
    }),
    bad("wget", "scheme", "wget htp://@host@/", "invalid_arguments", "htp://@host@/", {
      localized: true,
      also: ["error", "network"],
    }),
    fine("curl", "ok", `curl -sS ${URL}/status/200`, {}),
    fine("curl", "ok-headers", `curl -sS -i ${URL}/status/200`, {}),
    fine("curl", "page-about-errors", `curl -sS ${URL}/html`, {}),
    fine("curl", "status-asked", `curl -s -o /dev/null -w '%{http_code}\\n' ${URL}/status/404`, {}),
    fine("curl", "head-asked", `curl -sI ${URL}/status/200`, {}),
    fine("curl", "download", `curl -o out.json ${URL}/status/200 && cat out.json`, {}),
    fine("curl", "verbose", `curl -sv ${URL}/status/200`, {}),
    fine(
      "curl",
      "retried",
      `for u in http://127.0.0.1:@closed@ ${URL}/status/200; do curl -sS $u && break; echo 'trying next mirror'; done`,
      { maskable: false },
    ),
    fine("wget", "ok", `wget -O out.html ${URL}/html`, { localized: true }),
    fine("wget", "fallback", `wget -O- ${URL}/html`, { localized: true }),
    fine("node", "fetch-error-page", "node a.mjs", {
      files: { "a.mjs": `const r = await fetch('${URL}/html');\nconsole.log(await r.text());\n` },
    }),
    fine("python3", "requests-ok", "python3 a.py", {
      files: { "a.py": `import requests\nr = requests.get('${URL}/status/200')\nprint(r.status_code, r.json())\n` },
    }),
  ],
};
