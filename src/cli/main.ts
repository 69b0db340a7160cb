import { Argument, Command, CommanderError, Option } from "commander";
import { REPAIR_MODES } from "../core/mend/index.ts";
import type { RecoverMode } from "../core/recover/types.ts";
import { EXPORT_TARGETS, type ExportTargetName } from "../export/export-settings.ts";
import { CAPTURES } from "../ingest/observe/observe-call.ts";
import { BREAKDOWNS } from "../store/port.ts";
import type { HookAction } from "./commands/hook.ts";
import { checkCommand } from "./embedded-store.ts";
import { type Io, processIo } from "./io.ts";
import { refusedPathText } from "./refused-path.ts";
import { StartError } from "./start-error.ts";
import { version } from "./version.ts";

/** Runs a command line; the answer is the exit code: 0 ok, 1 failed, 2 usage. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  let code = 0;
  const program = createProgram(io, (exit) => {
    code = exit;
  });
  try {
    await program.parseAsync(withDefault(args), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof StartError) {
      io.err(`${error.message}\n`);
      return error.exitCode;
    }
    const refused = refusedPathText(error);
    if (refused === undefined) throw error;
    io.err(`${refused}\n`);
    return 1;
  }
}

const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"];
const SESSION_SORT_NAMES = ["recent", "severity", "failed", "unrecovered"];
const OWN_OPTIONS = new Set(["-h", "--help", "-V", "--version"]);

/** Without a command it is `start`; a mistyped command is still told to be one. */
function withDefault(args: readonly string[]): string[] {
  const [first] = args;
  const given = first !== undefined && (!first.startsWith("-") || OWN_OPTIONS.has(first));
  return given ? [...args] : ["start", ...args];
}

type Action = (io: Io) => Promise<number>;

function createProgram(io: Io, setExit: (code: number) => void): Command {
  const program = new Command("toolmend")
    .description("Makes the tool calls of LLM agents work, and shows which ones do not and why.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .showHelpAfterError("(--help lists commands and options)")
    .enablePositionalOptions()
    .hook("preAction", (_, command) => checkCommand(command.name()));
  const run = async (action: Action): Promise<void> => setExit(await action(io));

  serverOptions(program.command("start"))
    .description("run proxy, recorder and dashboard (the default command)")
    .action((flags) => run(async (out) => (await import("./commands/start.ts")).startCommand(flags, out)));

  const env = program.command("env [client]").description("print the environment lines that point a client here");
  whereOptions(env)
    .addOption(new Option("--host <address>", "address of the server"))
    .addOption(new Option("--port <number>", "port of the server"))
    .addHelpText("after", '\nExample:\n  eval "$(toolmend env claude-code)" && claude')
    .action((client: string | undefined, flags) =>
      run(async (out) => (await import("./commands/env.ts")).envCommand(client, flags, out)),
    );

  whereOptions(program.command("run"))
    .description("run a client with those lines set")
    .argument("<command...>", "the client and its arguments, after --")
    .passThroughOptions()
    .addHelpText("after", "\nExample:\n  toolmend run -- claude --continue")
    .action((command: readonly string[], flags) =>
      run(async (out) => (await import("./commands/run.ts")).runCommand(command, flags, out)),
    );

  program
    .command("demo")
    .description("made-up history and scripted agents through the real proxy; no key, no network")
    .option("--port <number>", "port of the dashboard")
    .option("--data <folder>", "where the demo keeps its data (default: ~/.toolmend-demo)")
    .option("--once", "run the agents once, print the report and stop")
    .action((flags) => run(async (out) => (await import("./commands/demo.ts")).demoCommand(flags, out)));

  whereOptions(program.command("import [path...]"))
    .description(
      "read transcripts of Claude Code and Codex, and events of Toolmend (default: where the agents keep theirs)",
    )
    .addOption(new Option("--capture <level>", "how much text is kept").choices(CAPTURES))
    .option("--project <name>", "the project they belong to (default: default)")
    .option("--again", "read everything, also what was read before")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend import ~/.claude/projects")
    .action((paths: readonly string[], flags) =>
      run(async (out) => (await import("./commands/import.ts")).importCommand(paths, flags, out)),
    );

  whereOptions(program.command("report [path...]"))
    .description("failure rates from what was recorded, or straight from transcripts")
    .addOption(new Option("--by <what>", "one row per").choices([...BREAKDOWNS, "fingerprint"]).default("tool"))
    .option("--since <when>", "from here on: a span (24h, 7d) or a date")
    .option("--until <when>", "up to here: a span or a date")
    .option("--project <name>", "only this project")
    .addOption(new Option("--json", "for programs").conflicts("csv"))
    .option("--csv", "for spreadsheets")
    .addHelpText("after", "\nExample:\n  toolmend report ~/.claude/projects --since 7d")
    .action((paths: readonly string[], flags) =>
      run(async (out) => (await import("./commands/report.ts")).reportCommand(flags, out, paths)),
    );

  listOptions(program.command("sessions"))
    .description("sessions with their health; each filter matches when any call of the session does")
    .addOption(new Option("--health <health>", "by the number of failures").choices(HEALTHS))
    .addOption(new Option("--rate-health <health>", "by the rate of failures").choices(HEALTHS))
    .option("--category <name>", "with a failure of this category")
    .option("--severity <number>", 'with a failure this bad: ">0.7"')
    .option("--tool <name>", "with a call of this tool")
    .option("--model <name>", "with a call of this model")
    .option("--workflow <kind>", "with work of this kind")
    .option("--text <part>", "part of an id, client, tool, model, category or kind of work")
    .addOption(new Option("--sort <order>", "what comes first").choices(SESSION_SORT_NAMES).default("recent"))
    .option("--limit <number>", "how many (default: 50)")
    .addHelpText("after", '\nExample:\n  toolmend sessions --health unhealthy --category timeout --severity ">0.7"')
    .action((flags) => run(async (out) => (await import("./commands/sessions.ts")).sessionsCommand(flags, out)));

  whereOptions(program.command("show <session>"))
    .description("one session's story: failures, what followed from them, retries, recoveries")
    .option("--project <name>", "the project it belongs to (default: default)")
    .option("--json", "for programs")
    .action((session: string, flags) =>
      run(async (out) => (await import("./commands/show.ts")).showCommand(session, flags, out)),
    );

  whereOptions(program.command("tail"))
    .description("follow the running server: each call as it is recorded")
    .option("--session <id>", "only of this session; the beginning of its id will do")
    .option("--tool <name>", "only of this tool")
    .option("--failed", "only what failed")
    .option("--json", "whole events, one per line")
    .action((flags) => run(async (out) => (await import("./commands/tail.ts")).tailCommand(flags, out)));

  whereOptions(program.command("delete [session]"))
    .description("remove what was recorded")
    .option("--older <span>", "all sessions without a sign of life for so long: 30d")
    .option("--project <name>", "the project of the session (default: default)")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend delete --older 30d")
    .action((session: string | undefined, flags) =>
      run(async (out) => (await import("./commands/delete.ts")).deleteCommand(session, flags, out)),
    );

  program
    .command("recover")
    .description("find tool calls that leaked into text, from standard input")
    .option("--jsonl", "each line {id?, text, tools?, context?} gives a line {id, content, toolCalls, matches}")
    .addOption(new Option("--mode <mode>", "how much is taken for a call").choices(["safe", "eager", "strict"]))
    .option("--tools <names>", "declared tools, separated by commas")
    .addHelpText(
      "after",
      '\nExample:\n  echo \'<tool_call>{"name":"ls","arguments":{}}</tool_call>\' | toolmend recover',
    )
    .action(({ jsonl, mode, tools }: { jsonl?: boolean; mode?: RecoverMode; tools?: string }) =>
      run(async () => {
        const { recoverCommand } = await import("./commands/recover.ts");
        const declared = tools?.split(",").map((name) => ({ name: name.trim() }));
        return await recoverCommand(
          { ...(jsonl && { jsonl }), ...(mode && { mode }), ...(declared && { tools: declared }) },
          process,
        );
      }),
    );

  program
    .command("detect")
    .description("judge tool results from standard input: one text, or JSON lines")
    .option("--jsonl", "each line {id?, tool_name?, arguments?, content, is_error?, client?, api?}")
    .option("--tool <name>", "the tool, for a single text")
    .option("--client <name>", "the client, for a single text")
    .option("--no-heuristics", "only flags and stated exit statuses decide")
    .option("--config <file>", "configuration file with rules of your own (default: toolmend.config.json here)")
    .addHelpText("after", '\nExample:\n  echo "Exit code 1" | toolmend detect --tool Bash')
    .action((flags) =>
      run(async (out) => (await import("./commands/detect-with-config.ts")).detectWithConfig(flags, out)),
    );

  whereOptions(program.command("repair"))
    .description("what becomes of leaked calls: how it stands, or another mode while the server runs")
    .addArgument(
      new Argument("[mode]", "config: back to the configuration")
        .choices(["status", ...REPAIR_MODES, "config"])
        .default("status"),
    )
    .option("--upstream <name>", "only for answers of this upstream")
    .option("--model <pattern>", "only for these models; * stands for anything")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend repair observe --model 'qwen3-*'")
    .action((mode: string, flags) =>
      run(async (out) => (await import("./commands/repair.ts")).repairCommand(mode, flags, out)),
    );

  whereOptions(program.command("hook"))
    .description("see a coding agent's tool calls through its own hooks")
    .addArgument(new Argument("<action>").choices(["install", "uninstall", "status"]))
    .argument("[agent]", "claude-code, codex, opencode or gemini (default: claude-code; status: all)")
    .addOption(new Option("--scope <scope>", "whose settings (default: user)").choices(["user", "project"]))
    .option("--spool", "write events to files instead of sending them: for a machine without a server")
    .option("--pre-tool-use", "also the event before each call: tells what never came to an end")
    .option("--url <url>", "address of the server (default: where it runs, or would)")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend hook install claude-code")
    .action((action: HookAction, agent: string | undefined, flags) =>
      run(async (out) => (await import("./commands/hook.ts")).hookCommand(action, agent, flags, out)),
    );

  whereOptions(program.command("export"))
    .description("send what was recorded to another system; live export is `start --export`")
    .addArgument(new Argument("<target>").choices(EXPORT_TARGETS))
    .option("--since <when>", "from here on: a span (24h, 7d) or a date (default: everything)")
    .option("--until <when>", "up to here: a span or a date")
    .option("--again", "also what was sent before: the other side forgot")
    .option("--dry-run", "only say how much it would be")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend export langfuse --since 7d --dry-run")
    .action((target: ExportTargetName, flags) =>
      run(async (out) => (await import("./commands/export.ts")).exportCommand(target, flags, out)),
    );

  whereOptions(program.command("migrate"))
    .description("copy what was recorded from SQLite to PostgreSQL, and compare both; may be run again where it ended")
    .option("--from <folder>", "data folder to copy from (default: --data)")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend migrate --from ~/.toolmend --store postgres://toolmend@db/toolmend")
    .action((flags) => run(async (out) => (await import("./commands/migrate.ts")).migrateCommand(flags, out)));

  serverOptions(program.command("doctor"))
    .description("check runtime, data folder, store, server and upstreams, and say what to do")
    .option("--json", "for programs")
    .action((flags) => run(async (out) => (await import("./commands/doctor.ts")).doctorCommand(flags, out)));
  return program;
}

/** Which records, and in which form. */
function listOptions(command: Command): Command {
  return whereOptions(command)
    .option("--since <when>", "from here on: a span (24h, 7d) or a date")
    .option("--until <when>", "up to here: a span or a date")
    .option("--project <name>", "only this project")
    .addOption(new Option("--json", "for programs").conflicts("csv"))
    .option("--csv", "for spreadsheets");
}

function whereOptions(command: Command): Command {
  return command
    .option("--data <folder>", "data folder (default: ~/.toolmend)")
    .option("--store <url>", "postgres://… for several servers on one database (default: SQLite in the data folder)")
    .option("--config <file>", "configuration file (default: toolmend.config.json here)");
}

function serverOptions(command: Command): Command {
  const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];
  return whereOptions(command)
    .option("--port <number>", "port to listen on (default: 4100)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1; beyond loopback a token is needed)")
    .option("--anthropic <url>", "where /v1/messages goes")
    .option("--openai <url>", "where the rest of /v1 goes")
    .option("--upstream <name=url>", "a further server, reached as /NAME/…; may be repeated", collect)
    .addOption(new Option("--capture <level>", "how much text is kept").choices(CAPTURES))
    .option("--watch <folder>", "follow transcripts in a folder live; may be repeated", collect)
    .option("--keep <span>", "how long sessions are kept, such as 90d; figures stay (default: forever)")
    .option(
      "--export <targets>",
      "where calls and scores go besides: langfuse, otlp or both with a comma; keys from the environment",
    )
    .option("--allow-host <name>", "a further name under which we may be reached; may be repeated", collect)
    .addOption(
      new Option("--repair <mode>", "what becomes of tool calls that a model wrote as text (default: known)").choices(
        REPAIR_MODES,
      ),
    )
    .option("--clean-history", "take leaked calls out of the histories that clients send")
    .option("--durable", "also survive a power cut: fsync before acknowledging")
    .addOption(
      new Option("--log-level <level>", "what is logged to stderr").choices([
        "debug",
        "info",
        "warn",
        "error",
        "silent",
      ]),
    );
}
