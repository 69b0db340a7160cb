import { serverNameOf } from "./server-name.ts";

export type WrapArguments =
  | {
      readonly kind: "wrap";
      readonly name: string;
      readonly data?: string;
      readonly repairsCalls: boolean;
      readonly command: string;
      readonly commandArgs: readonly string[];
    }
  | {
      readonly kind: "http";
      readonly name: string;
      readonly data?: string;
      readonly url: URL;
      readonly port: number;
    }
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly problem: string };

export const WRAP_USAGE = `Usage: toolmend mcp wrap [--name NAME] [--data FOLDER] [--repair-calls observe|on] -- COMMAND [ARGUMENT…]
       toolmend mcp wrap --http URL [--port NUMBER] [--name NAME] [--data FOLDER]`;

export const WRAP_HELP = `${WRAP_USAGE}

Runs an MCP server over stdio, passes everything through unchanged, and records its tool calls.
With --http, listens on a local port and passes requests on to a server behind a URL.

Options:
  --name NAME               name of the server in records (default: the package, module or folder of the command, or the host of the URL)
  --data FOLDER             data folder (default: ~/.toolmend)
  --repair-calls observe|on repair calls that do not fit their schemas (default: observe)
  --http URL                the server's URL
  --port NUMBER             local port, with --http (default: any free port)
  -h, --help                show this help`;

const OPTIONS = ["--name", "--data", "--repair-calls", "--http", "--port"];
const REPAIR_MODES = ["observe", "on"];

/** Parses the arguments of `mcp wrap`. Everything after `--` belongs to the server. */
export function parseWrapArguments(args: readonly string[]): WrapArguments {
  const end = args.indexOf("--");
  const given = end === -1 ? args : args.slice(0, end);
  if (given.some((one) => one === "--help" || one === "-h")) return { kind: "help" };
  const options = readOptions(given);
  if ("problem" in options) return { kind: "usage", ...options };
  const { values } = options;
  const data = values.get("--data");
  const common = data === undefined ? {} : { data };
  const [command, ...commandArgs] = end === -1 ? [] : args.slice(end + 1);
  const http = values.get("--http");
  if (http !== undefined) return httpArguments(http, command, values, common);
  if (command === undefined) return usage("The server's command is missing.");
  if (values.has("--port")) return usage("--port needs --http.");
  const repairCalls = values.get("--repair-calls") ?? "observe";
  if (!REPAIR_MODES.includes(repairCalls)) return usage(`--repair-calls must be observe or on, not ${repairCalls}.`);
  const name = values.get("--name") ?? serverNameOf(command, commandArgs);
  return { kind: "wrap", name, ...common, repairsCalls: repairCalls === "on", command, commandArgs };
}

function httpArguments(
  text: string,
  command: string | undefined,
  values: ReadonlyMap<string, string>,
  common: { readonly data?: string },
): WrapArguments {
  const url = URL.parse(text);
  const port = values.get("--port") ?? "0";
  if (url === null || !/^https?:$/.test(url.protocol)) return usage(`--http must be the URL of a server, not ${text}.`);
  if (command !== undefined) return usage("--http takes no command.");
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return usage(`--port must be 0 to 65535, not ${port}.`);
  if (values.has("--repair-calls"))
    return usage("--http repairs no calls. Start Toolmend with mcp.repairCalls and use /mcp/NAME.");
  return { kind: "http", name: values.get("--name") ?? url.hostname, ...common, url, port: Number(port) };
}

function readOptions(
  given: readonly string[],
): { readonly values: ReadonlyMap<string, string> } | { readonly problem: string } {
  const values = new Map<string, string>();
  for (let at = 0; at < given.length; at += 1) {
    const [flag = "", inline] = (given[at] ?? "").split(/=(.*)/s);
    if (!OPTIONS.includes(flag)) return { problem: `Unknown option: ${flag}` };
    const value = inline ?? given[at + 1];
    if (value === undefined || value === "") return { problem: `${flag} needs a value.` };
    if (inline === undefined) at += 1;
    values.set(flag, value);
  }
  return { values };
}

function usage(problem: string): WrapArguments {
  return { kind: "usage", problem };
}
