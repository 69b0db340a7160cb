import { type Command, Option } from "commander";
import { REDACT_LEVELS } from "../../core/redact/redact.ts";
import { CAPTURES } from "../../ingest/observe/observe-call.ts";
import { BREAKDOWNS } from "../../store/port.ts";
import { listOptions, storeOptions } from "./options.ts";
import type { Run } from "./run.ts";

const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"];
const SESSION_SORT_NAMES = ["recent", "severity", "failed", "unrecovered"];

/** What was recorded: taken in, shown and removed. */
export function addRecordCommands(program: Command, run: Run): void {
  storeOptions(program.command("import [path...]"))
    .description(
      "read transcripts of Claude Code and Codex, and events of Toolmend (default: where the agents keep theirs)",
    )
    .addOption(new Option("--capture <level>", "how much text is kept").choices(CAPTURES))
    .addOption(
      new Option("--redact <level>", "what is removed from it: secrets, or personal data too").choices(REDACT_LEVELS),
    )
    .option("--project <name>", "the project they belong to (default: default)")
    .option("--force", "read everything, also what was imported before")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend import ~/.claude/projects")
    .action((paths: readonly string[], flags) =>
      run(async (out) => (await import("../commands/import.ts")).importCommand(paths, flags, out)),
    );

  storeOptions(program.command("report [path...]"))
    .description("failure rates from what was recorded, or straight from transcripts")
    .addOption(new Option("--by <what>", "one row per").choices([...BREAKDOWNS, "fingerprint"]).default("tool"))
    .option("--since <when>", "from here on: a span (24h, 7d) or a date")
    .option("--until <when>", "up to here: a span or a date")
    .option("--project <name>", "only this project")
    .addOption(new Option("--json", "for programs").conflicts("csv"))
    .option("--csv", "for spreadsheets")
    .addHelpText("after", "\nExample:\n  toolmend report ~/.claude/projects --since 7d")
    .action((paths: readonly string[], flags) =>
      run(async (out) => (await import("../commands/report.ts")).reportCommand(flags, out, paths)),
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
    .action((flags) => run(async (out) => (await import("../commands/sessions.ts")).sessionsCommand(flags, out)));

  storeOptions(program.command("show <session>"))
    .description("one session's story: failures, what followed from them, retries, recoveries")
    .option("--project <name>", "the project it belongs to (default: default)")
    .option("--json", "for programs")
    .action((session: string, flags) =>
      run(async (out) => (await import("../commands/show.ts")).showCommand(session, flags, out)),
    );

  storeOptions(program.command("tail"))
    .description("follow the running server: each call as it is recorded")
    .option("--session <id>", "only of this session; the beginning of its id will do")
    .option("--tool <name>", "only of this tool")
    .option("--failed", "only what failed")
    .option("--json", "whole events, one per line")
    .action((flags) => run(async (out) => (await import("../commands/tail.ts")).tailCommand(flags, out)));

  storeOptions(program.command("delete [session]"))
    .description("delete sessions from the store and from every file of the data folder")
    .option("--older <span>", "all sessions without activity for so long: 30d")
    .option("--project <name>", "the project of the session (default: default)")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend delete --older 30d")
    .action((session: string | undefined, flags) =>
      run(async (out) => (await import("../commands/delete.ts")).deleteCommand(session, flags, out)),
    );
}
