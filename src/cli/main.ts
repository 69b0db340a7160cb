import { Command, CommanderError } from "commander";
import { CliError, describeDiskError, describeFileError } from "./errors.ts";
import { type Io, processIo } from "./io.ts";
import { addAdminCommands } from "./program/admin-commands.ts";
import { addMcpCommands } from "./program/mcp-commands.ts";
import type { Run } from "./program/options.ts";
import { addRecordCommands } from "./program/record-commands.ts";
import { addServingCommands } from "./program/serving-commands.ts";
import { addTextCommands } from "./program/text-commands.ts";
import { withNewFlags } from "./renamed-names.ts";
import { version } from "./version.ts";

/** Runs a command line and returns the exit code: 0 ok, 1 failed, 2 wrong usage. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  let code = 0;
  const program = createProgram(io, async (action) => {
    code = await action(io);
  });
  try {
    await program.parseAsync(withDefault(withNewFlags(args, (message) => io.err(`${message}\n`))), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CliError) {
      io.err(`${error.message}\n`);
      return error.exitCode;
    }
    const description = describeFileError(error) ?? describeDiskError(error);
    if (description === undefined) throw error;
    io.err(`${description}\n`);
    return 1;
  }
}

const OWN_OPTIONS = new Set(["-h", "--help", "-V", "--version"]);

const OVERVIEW_OPTION = /^--(?:json|max-seconds)(?:=|$)/;

/**
 * Defaults to `overview`, and to `start` for the options of a server. An unknown first word is passed on, so that
 * Commander reports it as an unknown command.
 */
export function withDefault(args: readonly string[]): string[] {
  const [first] = args;
  if (first === undefined || OVERVIEW_OPTION.test(first)) return ["overview", ...args];
  const given = !first.startsWith("-") || OWN_OPTIONS.has(first);
  return given ? [...args] : ["start", ...args];
}

/** Creates the parser of command lines. It calls `run` with the action of a valid command line. */
export function createProgram(io: Pick<Io, "out" | "err">, run: Run): Command {
  const program = new Command("toolmend")
    .description("Repairs the tool calls of LLM agents, and shows which tools fail and why.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    // Long names of commands leave little room for descriptions in 80 columns.
    .configureHelp({ minWidthToWrap: 20 })
    .showHelpAfterError("(--help lists commands and options)")
    .enablePositionalOptions();
  // The order is that of `--help`.
  addServingCommands(program, run);
  addRecordCommands(program, run);
  addTextCommands(program, run);
  addAdminCommands(program, run);
  addMcpCommands(program, run);
  return program;
}
