// Runs one command in a scratch folder of its own and records its output and exit status.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const MAX_OUTPUT_BYTES = 200_000;
const NOBODY = 65_534;
const RUNS_AS_ROOT = process.getuid?.() === 0;
/** Root reads and writes everything, so permission failures need another user. */
const AS_NOBODY = RUNS_AS_ROOT ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"] : [];

export interface Recorded {
  readonly text: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
}

export interface Scratch {
  readonly root: string;
  readonly project: string;
  readonly home: string;
}

export function openScratch(files: Readonly<Record<string, string>>): Scratch {
  const root = mkdtempSync(join(tmpdir(), "lab-run-"));
  const scratch = { root, project: join(root, "project"), home: join(root, "home") };
  for (const folder of [scratch.project, scratch.home]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    const path = join(scratch.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  chmodSync(root, 0o755);
  if (RUNS_AS_ROOT) spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, root]);
  return scratch;
}

export function closeScratch(scratch: Scratch): void {
  if (RUNS_AS_ROOT) chownSync(scratch.root, 0, 0);
  rmSync(scratch.root, { recursive: true, force: true });
}

/** A small fixed environment: results must not depend on the machine of the person who runs the laboratory. */
export function environment(scratch: Scratch, cache: string, locale: string): Record<string, string> {
  return {
    PATH: `${cache}/bin:${cache}/npm/node_modules/.bin:/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/sbin:/sbin`,
    HOME: scratch.home,
    TMPDIR: scratch.root,
    LANG: locale,
    LC_ALL: locale,
    LANGUAGE: "",
    TERM: "dumb",
    NO_COLOR: "1",
    TZ: "UTC",
    GIT_AUTHOR_NAME: "Dev",
    GIT_AUTHOR_EMAIL: "dev@example.com",
    GIT_COMMITTER_NAME: "Dev",
    GIT_COMMITTER_EMAIL: "dev@example.com",
    GIT_CONFIG_NOSYSTEM: "1",
    GOPATH: join(scratch.home, "go"),
    GOCACHE: join(cache, "go-build"),
    GOFLAGS: "-mod=mod",
    GOTOOLCHAIN: "local",
    CARGO_TERM_COLOR: "never",
    NODE_PATH: `${cache}/npm/node_modules`,
    npm_config_cache: join(scratch.home, ".npm"),
    npm_config_fetch_retries: "0",
    npm_config_update_notifier: "false",
    PIP_NO_INPUT: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_RETRIES: "0",
    PYTHONDONTWRITEBYTECODE: "1",
    PIP_BREAK_SYSTEM_PACKAGES: "1",
    USER: "dev",
    LOGNAME: "dev",
  };
}

export function runShell(
  command: string,
  scratch: Scratch,
  env: Record<string, string>,
  timeoutMs: number,
  stdin = "",
): Promise<Recorded> {
  return new Promise((resolve) => {
    const [program, ...args] = [...AS_NOBODY, "bash", "-c", command];
    const child = spawn(program as string, args, { cwd: scratch.project, env, detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    const keep = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    const timer = setTimeout(() => {
      timedOut = true;
      // The negative id ends the whole process group: a test runner leaves workers otherwise.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, timeoutMs);
    child.on("error", () => {});
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const exitCode = code ?? (signal === null ? null : 128);
      resolve({ text: Buffer.concat(chunks).toString("utf8"), exitCode, timedOut });
    });
  });
}

export function hasProgram(name: string, cache: string): boolean {
  if (name.includes("/")) return spawnSync("test", ["-e", name.replace("@cache@", cache)]).status === 0;
  const { PATH } = environment({ root: "", project: "", home: "" }, cache, "C");
  return spawnSync("bash", ["-c", `command -v -- '${name}'`], { env: { PATH } }).status === 0;
}
