import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Request, type ScriptedServer, startScriptedServer, type Turn } from "./scripted-server.ts";

const USAGE = `npx node bench/agents/main.ts [--folder DIR]

  Installs other agent libraries into a temporary folder, runs the same hostile script with each, and prints a table.
  Needs the package built (npm run build) and access to a package registry.
  --folder DIR  use this folder and keep it, with what is already installed there
`;

/** Fixed, so that the table can be reproduced. */
const PACKAGES: Readonly<Record<string, string>> = {
  ai: "7.0.169",
  "@ai-sdk/openai-compatible": "2.0.87",
  "@openai/agents": "0.20.0",
  openai: "6.49.0",
  "@mastra/core": "1.71.0",
  langchain: "1.5.14",
  "@langchain/core": "1.2.13",
  "@langchain/openai": "1.5.8",
  zod: "4.6.7",
};
const LIBRARIES: Readonly<Record<string, string>> = {
  toolmend: "Toolmend",
  "ai-sdk": `AI SDK ${PACKAGES.ai}`,
  "openai-agents": `OpenAI Agents ${PACKAGES["@openai/agents"]}`,
  mastra: `Mastra ${PACKAGES["@mastra/core"]}`,
  langchain: `LangChain ${PACKAGES.langchain}`,
};
const TIMEOUT_MS = 20_000;

/** How a run ended. */
interface Ending {
  readonly text?: string;
  readonly error?: string;
  /** How often the tool ran. */
  readonly runs: number;
  readonly ms: number;
}

interface Situation {
  readonly name: string;
  readonly script: (request: Request, nth: number) => Turn;
  /** What the table says. */
  readonly verdict: (ending: Ending, requests: readonly Request[]) => string;
}

const once =
  (first: Turn) =>
  (_: Request, nth: number): Turn =>
    nth === 1 ? first : { text: "Done." };
const weatherCall = (args: string): Turn => ({ call: { name: "weather", arguments: args } });
const LEAK = 'Let me look. <tool_call>{"name": "weather", "arguments": {"city": "Paris"}}</tool_call>';

/** The results that the model read. */
function results(requests: readonly Request[]): string {
  const texts = requests.flatMap(({ messages }) => messages.filter(({ role }) => role === "tool"));
  return texts.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content))).join("\n");
}

function outcome({ error, text }: Ending): string {
  if (error !== undefined) return `throws (${error.slice(0, 60)})`;
  return text === "" ? "empty answer" : "answer";
}

const SITUATIONS: readonly Situation[] = [
  {
    name: "unknown tool",
    script: once({ call: { name: "get_weather", arguments: '{"city":"Paris"}' } }),
    verdict: (ending, requests) => {
      if (ending.error !== undefined) return outcome(ending);
      const read = results(requests);
      if (/did you mean/i.test(read)) return "suggests and lists names";
      return /\bweather\b/.test(read.replaceAll("get_weather", "")) ? "lists names" : "names no tool";
    },
  },
  {
    name: "secret",
    script: once(weatherCall('{"city":"Paris"}')),
    verdict: (ending, requests) =>
      ending.error !== undefined
        ? outcome(ending)
        : results(requests).includes("s3cret")
          ? "the model reads the password"
          : "hidden from the model",
  },
  {
    name: "missing parameter",
    script: once(weatherCall("{}")),
    verdict: (ending, requests) => {
      if (ending.error !== undefined) return outcome(ending);
      const read = results(requests);
      if (/without required|missing/i.test(read) && read.includes("city")) return "named as missing";
      return read.includes("city") ? "named as invalid" : "not named";
    },
  },
  {
    name: "same call",
    script: ({ tool_choice: choice, tools }) =>
      choice === "none" || tools === undefined || tools.length === 0
        ? { text: "I could not find out." }
        : weatherCall('{"city":"Paris"}'),
    verdict: (ending, requests) => `${ending.runs} runs, ${requests.length} requests, ${outcome(ending)}`,
  },
  {
    name: "hung tool",
    script: once(weatherCall('{"city":"Paris"}')),
    verdict: (ending) =>
      ending.ms >= TIMEOUT_MS
        ? `still running after ${TIMEOUT_MS / 1000} s`
        : `ended after ${(ending.ms / 1000).toFixed(1)} s`,
  },
  {
    name: "leaked call",
    script: once({ text: LEAK }),
    verdict: ({ runs, text = "" }) => {
      if (runs > 0) return text.includes("tool_call") ? "run, but shown" : "run, not shown";
      return text.includes("tool_call") ? "shown as text" : "lost";
    },
  },
];
const TITLES: Readonly<Record<string, string>> = {
  "unknown tool": "the model calls a tool that does not exist",
  secret: "a tool throws an error with a password in it",
  "missing parameter": "a required parameter is missing",
  "same call": "the same failing call, again and again",
  "hung tool": "a tool never ends (limit: 300 ms where one can be set)",
  "leaked call": "the model writes its call as text",
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { folder: { type: "string" }, help: { type: "boolean", default: false } } });
  if (values.help) return void process.stdout.write(USAGE);
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), "toolmend-agents-"));
  const server = await startScriptedServer();
  try {
    install(folder);
    const rows: string[][] = [];
    for (const situation of SITUATIONS) {
      const row = [TITLES[situation.name] ?? situation.name];
      for (const library of Object.keys(LIBRARIES)) row.push(await play(folder, library, situation, server));
      rows.push(row);
      process.stderr.write(`${situation.name}: ${row.slice(1).join(" | ")}\n`);
    }
    process.stdout.write(table(rows));
  } finally {
    await server.close();
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: PACKAGES }),
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: "inherit" });
  rmSync(join(folder, "node_modules", "toolmend"), { force: true, recursive: true });
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules", "toolmend"));
  cpSync(fileURLToPath(new URL("peers", import.meta.url)), folder, { recursive: true });
}

async function play(
  folder: string,
  library: string,
  { name, script, verdict }: Situation,
  server: ScriptedServer,
): Promise<string> {
  server.play(script);
  const ending = await run(folder, library, server.url, name);
  return verdict(ending, server.requests);
}

/** A process of its own for each run: a tool that hangs must not affect the next one. */
function run(folder: string, library: string, url: string, situation: string): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: TIMEOUT_MS };
    execFile(process.execPath, [join(folder, `${library}.mjs`), url, situation], options, (error, stdout, stderr) => {
      const line = stdout.trim().split("\n").at(-1) ?? "";
      if (line.startsWith("{")) resolve(JSON.parse(line) as Ending);
      else if (error?.killed === true) resolve({ text: "", runs: 0, ms: TIMEOUT_MS });
      else reject(new Error(`${library}: ${stderr.slice(-2000)}`, { cause: error }));
    });
  });
}

function table(rows: readonly (readonly string[])[]): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const head = ["", ...Object.values(LIBRARIES).map((name) => (name === "Toolmend" ? `Toolmend ${version}` : name))];
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n")}\n`;
}

await main();
