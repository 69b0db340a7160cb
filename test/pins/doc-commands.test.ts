import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Command, CommanderError } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram, withDefault } from "../../src/cli/main.ts";
import { packageRoot } from "../../src/cli/version.ts";
import { docPages, fencedBlocks, readPage } from "../support/doc-pages.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running.ts";
import { type ShellCommand, shellCommands } from "../support/shell-words.ts";

interface DocLine {
  readonly where: string;
  readonly line: string;
}

/** Lines of shell blocks. Blocks without a language also contain output: there, only lines that start a command. */
const LINES: readonly DocLine[] = docPages().flatMap((page) =>
  fencedBlocks(page).flatMap(({ language, text, line: start }) => {
    if (language !== "sh" && language !== "") return [];
    const lines = text.replace(/\\\n\s*/g, "").split("\n");
    return lines
      .filter((line) => (language === "sh" ? line.trim() !== "" : /^(?:npx |npm run -s )?toolmend\b/.test(line)))
      .map((line) => ({ where: `${page}:${start}`, line }));
  }),
);

/** The arguments of each `toolmend` in a line. */
function toolmendCalls(line: string): readonly ShellCommand[] {
  return shellCommands(line).flatMap(([first, ...words]) => {
    if (first === "toolmend") return [words];
    if (first === "npx" && words[0] === "toolmend") return [words.slice(1)];
    const isScript = first === "npm" && words.slice(0, 4).join(" ").startsWith("run -s toolmend");
    return isScript ? [words.slice(words[3] === "--" ? 4 : 3)] : [];
  });
}

const CALLS = LINES.flatMap(({ where, line }) => toolmendCalls(line).map((args) => ({ where, line, args })));

/** Parses a command line with the program's own parser, and runs nothing. */
async function parseProblem(args: readonly string[]): Promise<string | undefined> {
  let printed = "";
  const print = (text: string): void => {
    printed += text;
  };
  const program = createProgram({ out: print, err: print }, async () => undefined);
  try {
    await program.parseAsync(withDefault(args), { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : printed.split("\n")[0];
  }
}

describe("shell lines of the documentation", () => {
  it("shell lines parse, where they run toolmend", async () => {
    expect(CALLS.length).toBeGreaterThanOrEqual(50);
    const problems: string[] = [];
    for (const { where, line, args } of CALLS) {
      const problem = await parseProblem(args);
      if (problem !== undefined) problems.push(`${where}: ${line}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  it("shell lines name scripts and files that exist, where they run npm or node", () => {
    const { scripts } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
      scripts: Readonly<Record<string, string>>;
    };
    const problems = LINES.flatMap(({ where, line }) =>
      shellCommands(line).flatMap(([first, ...words]) => {
        const script =
          first !== "npm" ? undefined : words[0] === "run" ? words.find((w, at) => at > 0 && w !== "-s") : words[0];
        if (script !== undefined && !["ci", "init", "pkg", "install", "i"].includes(script) && !(script in scripts))
          return [`${where}: npm has no script ${script}`];
        const file = words.find((word) => /^(?:scripts|bench|examples)\//.test(word));
        return file !== undefined && !existsSync(join(packageRoot, file)) ? [`${where}: ${file} not found`] : [];
      }),
    );
    expect(problems).toEqual([]);
  });
});

/** Finds the command that words name: `hook install` in `hook install claude-code --dry-run`. */
function commandNamed(words: readonly string[]): Command | undefined {
  let command: Command = createProgram({ out: () => undefined, err: () => undefined }, async () => undefined);
  for (const word of withDefault(words)) {
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner === undefined) break;
    command = inner;
  }
  return command.parent === null ? undefined : command;
}

it("commands within sentences and tables exist, with their options", () => {
  const problems: string[] = [];
  let count = 0;
  for (const page of docPages()) {
    const prose = readPage(page).replace(/^( *)(```+)[\s\S]*?^\1\2$/gm, "");
    for (const [, text = ""] of prose.matchAll(/`(?:npx |npm run -s )?toolmend (?:-- )?([a-z][^`]*)`/g)) {
      count += 1;
      // Options after `--` are those of another program.
      const words = (shellCommands(text.replaceAll("\\|", "/"))[0] ?? []).join(" ").split(" -- ")[0]?.split(" ") ?? [];
      const command = commandNamed(words);
      if (command === undefined) problems.push(`${page}: ${text}: no such command`);
      // `mcp wrap` parses its own options, and names them in its usage.
      const inUsage = command?.usage().match(/--[a-z][a-z-]*/g) ?? [];
      const known = new Set(["--help", ...inUsage, ...(command?.options.flatMap(({ long }) => long ?? []) ?? [])]);
      for (const [option] of words.join(" ").matchAll(/--[a-z][a-z-]*/g))
        if (command !== undefined && !known.has(option)) problems.push(`${page}: ${text}: no option ${option}`);
    }
  }
  expect(count).toBeGreaterThanOrEqual(30);
  expect(problems).toEqual([]);
});

/** Commands that only read, and end by themselves. */
const READING = new Set(["report", "sessions", "show", "env", "detect", "recover", "repair-calls", "loops", "doctor"]);

describe("with the demo's data", () => {
  const home = temporaryFolder();
  const data = join(home, "data");
  const environment = { PATH: `${join(home, "bin")}:${process.env.PATH ?? ""}`, HOME: home, TOOLMEND_DATA: data };
  let session = "";

  beforeAll(async () => {
    mkdirSync(join(home, "bin"));
    const bin = join(packageRoot, "bin", "toolmend.mjs");
    writeFileSync(join(home, "bin", "toolmend"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
      mode: 0o755,
    });
    // Where the pages name folders of agents.
    for (const folder of [".claude/projects", ".codex/sessions"]) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, "toolmend.config.json"), "{}");
    await runCommand(["demo", "--once", "--port", "0", "--data", data], { now: Date.now });
    const { out } = await runCommand(["sessions", "--json", "--data", data], { now: Date.now });
    session = (JSON.parse(out) as readonly { session_id: string }[])[0]?.session_id ?? "";
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const lines = CALLS.filter(({ args }) => READING.has(args[0] ?? "") && !args.includes("…")).filter(
    ({ line }, at, all) => all.findIndex((one) => one.line === line) === at,
  );

  it("lines that only read work as printed", async () => {
    expect(lines.length).toBeGreaterThanOrEqual(15);
    const problems: string[] = [];
    for (const { where, line, args } of lines) {
      if (/\becho\b/.test(line)) {
        const { stdout, stderr } = await promisify(execFile)("bash", ["-c", line], { env: environment, cwd: home });
        if (stderr !== "" || stdout.trim() === "") problems.push(`${where}: ${line}: ${stderr}`);
        continue;
      }
      const given = args.map((word) => (/^(?:SESSION|3f2a.*)$/.test(word) ? session : word.replace(/^~(?=\/)/, home)));
      const { code, out, err } = await runCommand(given, { environment, now: Date.now });
      // `doctor` also reports what is not set up on this machine.
      if ((code !== 0 && given[0] !== "doctor") || out.trim() === "")
        problems.push(`${where}: ${line}: ${code} ${err}`);
    }
    expect(problems).toEqual([]);
  });
});
