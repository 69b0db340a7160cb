import { basename } from "node:path";

export type WrapArguments =
  | {
      readonly kind: "wrap";
      readonly name: string;
      readonly data?: string;
      readonly repairsCalls: boolean;
      readonly command: string;
      readonly commandArgs: readonly string[];
    }
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly problem: string };

export const WRAP_USAGE =
  "Usage: toolmend mcp wrap [--name NAME] [--data FOLDER] [--repair-calls observe|on] -- COMMAND [ARGUMENT…]";

const OPTIONS = ["--name", "--data", "--repair-calls"];
const REPAIR_MODES = ["observe", "on"];

/** Parses the arguments behind `mcp wrap`. Everything behind `--` belongs to the server. */
export function parseWrapArguments(args: readonly string[]): WrapArguments {
  const end = args.indexOf("--");
  if (args.slice(0, end === -1 ? args.length : end).some((one) => one === "--help" || one === "-h"))
    return { kind: "help" };
  if (end === -1) return { kind: "usage", problem: "The server's command is missing." };
  const [command, ...commandArgs] = args.slice(end + 1);
  if (command === undefined) return { kind: "usage", problem: "The server's command is missing." };
  const options = new Map<string, string>();
  const given = args.slice(0, end);
  for (let at = 0; at < given.length; at += 1) {
    const [flag = "", inline] = (given[at] ?? "").split(/=(.*)/s);
    if (!OPTIONS.includes(flag)) return { kind: "usage", problem: `Unknown option: ${flag}` };
    const value = inline ?? given[at + 1];
    if (value === undefined || value === "") return { kind: "usage", problem: `${flag} needs a value.` };
    if (inline === undefined) at += 1;
    options.set(flag, value);
  }
  const data = options.get("--data");
  const repairCalls = options.get("--repair-calls") ?? "observe";
  if (!REPAIR_MODES.includes(repairCalls))
    return { kind: "usage", problem: `--repair-calls must be observe or on, not ${repairCalls}.` };
  return {
    kind: "wrap",
    name: options.get("--name") ?? basename(command),
    ...(data !== undefined && { data }),
    repairsCalls: repairCalls === "on",
    command,
    commandArgs,
  };
}
