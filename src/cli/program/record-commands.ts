import { type Command, Option } from "commander";
import { REDACT_LEVELS } from "../../core/redact/levels.ts";
import { CAPTURES } from "../../ingest/observe/capture.ts";
import { NEWEST_FOR_TEXT } from "../../store/limits.ts";
import { BREAKDOWNS } from "../../store/queries.ts";
import { commandLine } from "../command-line.ts";
import type { Run } from "./options.ts";
import { listOptions, storeOptions } from "./options.ts";

const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"];
const SESSION_SORT_NAMES = ["recent", "severity", "failed", "unrecovered"];

/** Commands that import, show and delete records. */
export function addRecordCommands(program: Command, run: Run): void {
  storeOptions(program.command("import [path...]"))
    .description(
      "import transcripts of Claude Code, Codex, opencode, Qwen Code, Gemini CLI, pi, Copilot, Continue and Cline, and Toolmend event files (default: the agents' own folders)",
    )
    .addOption(new Option("--capture <level>", "how much text is stored").choices(CAPTURES))
    .addOption(
      new Option("--redact <level>", "what to redact from stored text: secrets, or also personal data").choices(
        REDACT_LEVELS,
      ),
    )
    .option("--project <name>", "the project they belong to (default: default)")
    .option("--force", "import everything, including files already imported")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("import ~/.claude/projects")}`)
    .action((paths: readonly string[], flags) =>
      run(async (out) => (await import("../commands/import.ts")).importCommand(paths, flags, out)),
    );

  storeOptions(program.command("report [path...]"))
    .description("failure rates of recorded calls, or directly from transcripts")
    .addOption(new Option("--by <what>", "one row per").choices([...BREAKDOWNS, "fingerprint", "loop"]).default("tool"))
    .option("--since <when>", "only after this time: a duration (24h, 7d) or a date")
    .option("--until <when>", "only before this time: a duration or a date")
    .option("--project <name>", "only this project")
    .option("--tool <name>", "only calls of this tool")
    .option("--model <name>", "only calls of this model")
    .addOption(new Option("--json", "print JSON").conflicts("csv"))
    .option("--csv", "print CSV")
    .addHelpText("after", `\nExample:\n  ${commandLine("report ~/.claude/projects --since 7d")}`)
    .action((paths: readonly string[], flags) =>
      run(async (out) => (await import("../commands/report.ts")).reportCommand(flags, out, paths)),
    );

  listOptions(program.command("sessions"))
    .description("list sessions with their health; a filter matches if any call of the session does")
    .addOption(new Option("--health <health>", "by the number of failures").choices(HEALTHS))
    .addOption(new Option("--rate-health <health>", "by the rate of failures").choices(HEALTHS))
    .option("--category <name>", "sessions with a failure of this category")
    .option("--severity <number>", 'sessions with a failure of this severity: ">0.7"')
    .option("--tool <name>", "sessions with a call of this tool")
    .option("--model <name>", "sessions with a call of this model")
    .option("--workflow <kind>", "sessions with this workflow")
    .option("--looping", "sessions with a loop: calls in a row that brought nothing new")
    .option(
      "--text <text>",
      `start of a word of a session or a failure, or of an id; in the newest ${NEWEST_FOR_TEXT} sessions any part`,
    )
    .addOption(new Option("--sort <order>", "sort order").choices(SESSION_SORT_NAMES).default("recent"))
    .option("--limit <number>", "maximum number of sessions (default: 50)")
    .addHelpText(
      "after",
      `\nExample:\n  ${commandLine('sessions --health unhealthy --category timeout --severity ">0.7"')}`,
    )
    .action((flags) => run(async (out) => (await import("../commands/sessions.ts")).sessionsCommand(flags, out)));

  storeOptions(program.command("show <session>"))
    .description("timeline of one session: failures, follow-ons, retries, recoveries")
    .option("--project <name>", "the project it belongs to (default: default)")
    .option("--json", "print JSON")
    .action((session: string, flags) =>
      run(async (out) => (await import("../commands/show.ts")).showCommand(session, flags, out)),
    );

  storeOptions(program.command("tail"))
    .description("follow the running server: each call as it is recorded")
    .option("--session <id>", "only this session; a prefix of its id is enough")
    .option("--tool <name>", "only this tool")
    .option("--failed", "only failed calls")
    .option("--json", "print complete events as JSON, one per line")
    .action((flags) => run(async (out) => (await import("../commands/tail.ts")).tailCommand(flags, out)));

  storeOptions(program.command("delete [session]"))
    .description("delete sessions from the store and from every file of the data folder")
    .option("--older <span>", "all sessions without activity for this long: 30d")
    .option("--project <name>", "the project of the session (default: default)")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("delete --older 30d")}`)
    .action((session: string | undefined, flags) =>
      run(async (out) => (await import("../commands/delete.ts")).deleteCommand(session, flags, out)),
    );
}
