// Package managers without a network: the registry is a local server that knows nothing, or a closed port.
import { bad, fine } from "../builders.ts";
import type { Family } from "../types.ts";

const NPM = { needs: ["npm"] } as const;
const REGISTRY = "--registry=http://127.0.0.1:@http@/npm/";
const P = (json: string) => ({ ...NPM, files: { "package.json": json } });
const APP = '{"name":"@stem@-app","version":"1.0.0"}';
const scripts = (text: string) => P(`{"name":"@stem@-app","version":"1.0.0","scripts":${text}}`);
const CARGO = (deps = "") => ({
  needs: ["cargo"],
  files: {
    "Cargo.toml": `[package]\nname = "@stem@"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${deps}`,
    "src/main.rs": "fn main() {}\n",
  },
});

export const PACKAGES: Family = {
  name: "packages",
  cases: [
    bad("npm", "unknown-package", `npm install @pkg@ ${REGISTRY}`, "not_found", "@pkg@", P(APP)),
    bad(
      "npm",
      "registry-refused",
      "npm install @pkg@ --registry=http://127.0.0.1:@closed@/",
      "network",
      "@closed@",
      P(APP),
    ),
    bad("npm", "registry-dns", "npm install @pkg@ --registry=https://@host@/", "network", "@host@", {
      ...P(APP),
      also: ["not_found"],
    }),
    bad(
      "npm",
      "registry-500",
      "npm install @pkg@ --registry=http://127.0.0.1:@http@/status/500/",
      "http_server_error",
      "500",
      { ...P(APP), also: ["network"] },
    ),
    bad("npm", "registry-401", "npm view @pkg@ --registry=http://127.0.0.1:@http@/status/401/", "auth", "401", P(APP)),
    bad(
      "npm",
      "registry-403",
      "npm install @pkg@ --registry=http://127.0.0.1:@http@/status/403/",
      "permission_denied",
      "403",
      { ...P(APP), also: ["auth", "http_client_error"] },
    ),
    bad("npm", "missing-script", "npm run @stem@", "not_found", "@stem@", {
      ...scripts('{"build":"true"}'),
      also: ["error", "invalid_arguments"],
    }),
    bad("npm", "no-package-json", "npm run build", "not_found", "package.json", NPM),
    bad("npm", "bad-package-json", "npm install", "error", "package.json", {
      ...P('{"name": "@stem@",}'),
      also: ["invalid_arguments"],
    }),
    bad("npm", "ci-without-lock", "npm ci", "precondition", "package-lock.json", {
      ...P(APP),
      also: ["not_found", "error"],
    }),
    bad("npm", "script-fails", "npm run build", "error", "@msg@", {
      ...scripts('{"build":"echo @msg@ >&2; exit 2"}'),
      also: ["exit_code", "build_failure"],
    }),
    bad(
      "npm",
      "script-command-missing",
      "npm run lint",
      "not_found",
      "@stem@-lint",
      scripts('{"lint":"@stem@-lint src"}'),
    ),
    bad("npm", "script-throws", "npm start", "error", "@msg@", {
      ...scripts('{"start":"node -e \\"throw new Error(\'@msg@\')\\""}'),
    }),
    bad("npm", "unknown-command", "npm instal-all", "invalid_arguments", "instal-all", { ...NPM, also: ["not_found"] }),
    bad("npm", "peer-conflict", "npm install ./a ./b", "error", "ERESOLVE", {
      ...NPM,
      also: ["precondition"],
      files: {
        "package.json": APP,
        "a/package.json": '{"name":"a","version":"2.0.0"}',
        "b/package.json": '{"name":"b","version":"1.0.0","peerDependencies":{"a":"^1.0.0"}}',
      },
    }),
    bad("npm", "engine-strict", "npm install --engine-strict", "precondition", "EBADENGINE", {
      ...P('{"name":"@stem@","version":"1.0.0","engines":{"node":">=99"}}'),
      also: ["error"],
    }),
    bad("npm", "bad-version", "npm version @stem@", "invalid_arguments", "@stem@", {
      ...P(APP),
      fact: "Invalid version",
    }),
    bad("npm", "permission", "npm install ./a", "permission_denied", "EACCES", {
      ...NPM,
      files: { "package.json": APP, "a/package.json": '{"name":"a","version":"1.0.0"}' },
      setup: "chmod 555 .",
      also: ["error"],
    }),
    bad("npx", "unknown-package", `npx --yes ${REGISTRY} @pkg@`, "not_found", "@pkg@", { needs: ["npx"] }),
    bad("npx", "offline", "npx --yes --offline --registry=https://@host@/ @pkg@", "network", "@pkg@", {
      needs: ["npx"],
      also: ["not_found", "error"],
      fact: "ENOTCACHED",
    }),
    bad("npm", "ls-missing", "npm ls", "not_found", "@pkg@", {
      ...P('{"name":"@stem@","version":"1.0.0","dependencies":{"@pkg@":"^1.0.0"}}'),
      also: ["error", "precondition"],
    }),
    fine("npm", "install-local", "npm install ./a", {
      ...NPM,
      files: { "package.json": APP, "a/package.json": '{"name":"error-@stem@","version":"1.0.0"}' },
    }),
    fine("npm", "run-ok", "npm run build", scripts('{"build":"echo compiled with 0 errors"}')),
    fine("npm", "engine-warning", "npm install", P('{"name":"@stem@","version":"1.0.0","engines":{"node":">=99"}}')),
    fine("npm", "if-present", "npm run @stem@ --if-present", scripts('{"build":"true"}')),
    fine("npm", "list", "npm ls", P(APP)),
    fine("npm", "scripts", "npm run", scripts('{"test":"echo error && exit 1"}')),
    fine("npm", "version", "npm version --no-git-tag-version patch", P(APP)),

    bad("pip", "unknown-package", "pip3 install --no-index @pkg@", "not_found", "@pkg@", {
      needs: ["pip3"],
      also: ["error"],
    }),
    bad("pip", "index-refused", "pip3 install --index-url http://127.0.0.1:@closed@/simple @pkg@", "network", "@pkg@", {
      needs: ["pip3"],
      also: ["not_found"],
      signs: ["Connection refused"],
    }),
    bad("pip", "requirements-missing", "pip3 install -r @missing@", "not_found", "@missing@", { needs: ["pip3"] }),
    bad("pip", "bad-requirement", "pip3 install '@stem@=>1.0'", "invalid_arguments", "@stem@=>1.0", {
      needs: ["pip3"],
      also: ["error"],
    }),
    bad("pip", "unknown-command", "pip3 instal x", "invalid_arguments", "instal", {
      needs: ["pip3"],
      also: ["not_found"],
    }),
    bad("pip", "not-a-package", "pip3 install --no-index .", "not_found", "setup.py", {
      needs: ["pip3"],
      also: ["error", "invalid_arguments"],
    }),
    bad(
      "pip",
      "externally-managed",
      "PIP_BREAK_SYSTEM_PACKAGES=0 pip3 install @pkg@",
      "permission_denied",
      "externally-managed-environment",
      { needs: ["pip3"], also: ["precondition", "error"] },
    ),
    bad("pip", "version-missing", "pip3 install --no-index 'pip==99.@n@'", "not_found", "pip==99.@n@", {
      needs: ["pip3"],
      also: ["error"],
    }),
    fine("pip", "uninstall-missing-warning", "pip3 uninstall -y @pkg@", { needs: ["pip3"] }),
    fine("pip", "satisfied", "pip3 install --no-index pip", { needs: ["pip3"] }),
    fine("pip", "check", "pip3 --version && echo 'No broken requirements found.'", { needs: ["pip3"] }),
    bad("pip", "show-missing", "pip3 show @pkg@", "not_found", "@pkg@", { needs: ["pip3"] }),
    bad("venv", "target-not-writable", "python3 -m venv /opt/@stem@", "permission_denied", "/opt/@stem@", {
      needs: ["python3"],
    }),

    bad("apt-get", "unknown-package", "apt-get -s install @pkg@", "not_found", "@pkg@", { localized: true }),
    bad("apt-get", "lock", "apt-get install -y hello", "permission_denied", "/var/lib", {
      localized: true,
      also: ["error"],
    }),
    bad("apt-get", "unknown-operation", "apt-get instal hello", "invalid_arguments", "instal", { localized: true }),
    bad("apt-get", "unknown-option", "apt-get --@stem@ install hello", "invalid_arguments", "@stem@", {
      localized: true,
      fact: "--@stem@",
    }),
    bad("apt-get", "no-version", "apt-get -s install bash=99.@n@", "not_found", "99.@n@", { localized: true }),
    bad("apt-cache", "unknown-package", "apt-cache show @pkg@", "not_found", "@pkg@", { localized: true, fact: "^" }),
    fine("apt-get", "simulate", "apt-get -s install bash", { localized: true }),
    fine("apt-get", "policy", "apt-cache policy bash | head -3", {
      localized: true,
      needs: ["apt-cache"],
      maskable: false,
    }),
    fine("dpkg", "list", "dpkg -l bash | tail -3", { maskable: false }),

    bad("cargo", "no-manifest", "cargo build", "not_found", "Cargo.toml", {
      also: ["precondition", "error", "build_failure"],
    }),
    bad("cargo", "unknown-dependency", "cargo build --offline", "not_found", "@pkg@", {
      ...CARGO('@pkg@ = "1"\n'),
      also: ["build_failure", "network", "error"],
    }),
    bad("cargo", "bad-manifest", "cargo build --offline", "error", "Cargo.toml", {
      needs: ["cargo"],
      files: { "Cargo.toml": "[package\nname = 1\n" },
      also: ["build_failure", "invalid_arguments"],
    }),
    bad("cargo", "compile-error", "cargo build --offline", "build_failure", "@id@", {
      needs: ["cargo"],
      files: {
        "Cargo.toml": '[package]\nname = "@stem@"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": "fn main() {\n    @id@();\n}\n",
      },
      also: ["error"],
      signs: ["could not compile"],
    }),
    bad("cargo", "unknown-command", "cargo biuld", "invalid_arguments", "biuld", { also: ["not_found"] }),
    bad("cargo", "unknown-bin", "cargo run --offline --bin @other@", "not_found", "@other@", {
      ...CARGO(),
      also: ["error", "invalid_arguments"],
    }),
    bad("cargo", "run-panics", "cargo run --offline -q", "crash", "@msg@", {
      needs: ["cargo"],
      files: {
        "Cargo.toml": '[package]\nname = "@stem@"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": 'fn main() {\n    panic!("@msg@");\n}\n',
      },
      also: ["error"],
    }),
    fine("cargo", "build-warnings", "cargo build --offline", {
      needs: ["cargo"],
      files: {
        "Cargo.toml": '[package]\nname = "@stem@"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": "fn error_path() {}\nfn main() {\n    let x = 1;\n}\n",
      },
      seeds: 2,
    }),
    fine("cargo", "check", "cargo check --offline", { ...CARGO(), seeds: 2 }),
    bad("gem", "unknown", "gem install @pkg@ --local", "not_found", "@pkg@", { also: ["error"] }),
    bad("gem", "dns", "gem install @pkg@ --source http://127.0.0.1:@closed@", "network", "@closed@", {
      also: ["not_found"],
      fact: "",
      signs: ["ERROR"],
    }),
    bad("bundle", "no-gemfile", "bundle install", "not_found", "Gemfile", { also: ["precondition", "error"] }),
    bad("bundle", "missing-gem", "bundle install --local", "not_found", "@pkg@", {
      files: { Gemfile: "source 'https://@host@'\ngem '@pkg@'\n" },
      also: ["error", "precondition"],
    }),
    bad(
      "go",
      "get-offline",
      "GOFLAGS=-mod=mod GOPROXY=http://127.0.0.1:@closed@ go get @host@/@stem@",
      "network",
      "@closed@",
      { files: { "go.mod": "module x\n\ngo 1.19\n" }, also: ["not_found", "error"] },
    ),
    bad(
      "go",
      "get-404",
      "GONOSUMDB=* GOFLAGS=-mod=mod GOPROXY=http://127.0.0.1:@http@/status/404 go get @host@/@stem@",
      "not_found",
      "@host@/@stem@",
      { files: { "go.mod": "module x\n\ngo 1.19\n" }, also: ["http_client_error", "error"] },
    ),
    bad(
      "luarocks",
      "unknown",
      "luarocks install --local @pkg@ --only-server=http://127.0.0.1:@closed@",
      "network",
      "@closed@",
      {
        also: ["not_found", "error"],
        seeds: 1,
      },
    ),
    bad("pnpm", "unknown-package", `pnpm add @pkg@ ${REGISTRY}`, "not_found", "@pkg@", {
      files: { "package.json": APP },
    }),
    bad("pnpm", "frozen-lockfile", "pnpm install --frozen-lockfile", "precondition", "pnpm-lock.yaml", {
      files: { "package.json": '{"name":"@stem@","dependencies":{"@pkg@":"1.0.0"}}' },
      also: ["not_found", "error"],
    }),
    bad("pnpm", "missing-script", "pnpm run @stem@", "not_found", "@stem@", {
      files: { "package.json": APP },
      also: ["error", "invalid_arguments"],
    }),
    bad("pnpm", "script-fails", "pnpm run build", "error", "@msg@", {
      files: { "package.json": '{"name":"@stem@","scripts":{"build":"echo @msg@ >&2; exit 3"}}' },
      also: ["exit_code", "build_failure"],
    }),
    bad("yarn", "unknown-package", `yarn add @pkg@ ${REGISTRY}`, "not_found", "@pkg@", {
      files: { "package.json": APP },
    }),
    bad("yarn", "missing-script", "yarn run @stem@", "not_found", "@stem@", {
      files: { "package.json": APP },
      also: ["error", "invalid_arguments"],
    }),
    bad("yarn", "script-fails", "yarn build", "error", "@msg@", {
      files: { "package.json": '{"name":"@stem@","scripts":{"build":"echo @msg@ >&2; exit 3"}}' },
      also: ["exit_code", "build_failure"],
    }),
    bad("yarn", "frozen-lockfile", "yarn install --frozen-lockfile --offline", "error", "@pkg@", {
      files: { "package.json": '{"name":"@stem@","version":"1.0.0","dependencies":{"@pkg@":"1.0.0"}}' },
      also: ["not_found", "network", "precondition"],
    }),
    fine("yarn", "script-ok", "yarn build", {
      files: { "package.json": '{"name":"@stem@","scripts":{"build":"echo 0 errors"}}' },
    }),
    fine("pnpm", "script-ok", "pnpm run build", {
      files: { "package.json": '{"name":"@stem@","scripts":{"build":"echo 0 errors, 2 warnings"}}' },
    }),
    bad("bun", "script-throws", "bun run a.ts", "error", "@msg@", { files: { "a.ts": "throw new Error('@msg@');\n" } }),
    bad("bun", "missing-script", "bun run @stem@", "not_found", "@stem@", {
      files: { "package.json": APP },
      also: ["error", "invalid_arguments"],
    }),
    bad("bun", "module-missing", "bun run a.ts", "not_found", "@pkg@", {
      files: { "a.ts": "import x from '@pkg@';\nconsole.log(x);\n", "package.json": APP },
      also: ["precondition", "error"],
    }),
    bad("deno", "missing", "deno task @stem@", "not_found", "deno", { needs: ["bash"], exit: 127, localized: true }),
    bad("poetry", "missing", "poetry install", "not_found", "poetry", { needs: ["bash"], exit: 127 }),
  ],
};
