import { Argument, type Command, Option } from "commander";
import { GUARD_MODES } from "../../core/loop/guard-modes.ts";
import { REPAIR_MODES } from "../../core/repair/modes.ts";
import { EXPORT_TARGETS, type ExportTargetName } from "../../export/export-target-names.ts";
import { HOOK_AGENTS } from "../../hook/agent-names.ts";
import { SECOND_CHANCE_MODES } from "../../proxy/second-chance/modes.ts";
import { commandLine } from "../command-line.ts";
import type { HookAction } from "../commands/hook.ts";
import type { Run } from "./options.ts";
import { serverOptions, storeOptions } from "./options.ts";

/** Commands that configure Toolmend or check its state. */
export function addAdminCommands(program: Command, run: Run): void {
  storeOptions(program.command("repair"))
    .description("show the repair mode, or change it on the running server")
    .addArgument(
      new Argument("[mode]", "`on` only with --calls; `config` removes the override")
        .choices(["status", ...REPAIR_MODES, "on", "config"])
        .default("status"),
    )
    .option("--calls", "the repair of native calls: off, observe or on")
    .option("--upstream <name>", "only for this upstream")
    .option("--model <pattern>", "only for matching models; * is a wildcard")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("repair observe --model 'qwen3-*'")}`)
    .action((mode: string, flags) =>
      run(async (out) => (await import("../commands/repair.ts")).modeCommand("repair", mode, flags, out)),
    );

  storeOptions(program.command("guard"))
    .description("show what is done about agents that repeat themselves, or change it on the running server")
    .addArgument(
      new Argument("[mode]", "`config` removes the override")
        .choices(["status", ...GUARD_MODES, "config"])
        .default("status"),
    )
    .option("--upstream <name>", "only for this upstream")
    .option("--model <pattern>", "only for matching models; * is a wildcard")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("guard stop --model 'qwen3-*'")}`)
    .action((mode: string, flags) =>
      run(async (out) => (await import("../commands/repair.ts")).modeCommand("guard", mode, flags, out)),
    );

  storeOptions(program.command("second-chance"))
    .description("show whether turns in which no call can work are requested again, or change it")
    .addArgument(
      new Argument("[mode]", "`config` removes the override")
        .choices(["status", ...SECOND_CHANCE_MODES, "config"])
        .default("status"),
    )
    .option("--upstream <name>", "only for this upstream")
    .option("--model <pattern>", "only for matching models; * is a wildcard")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("second-chance on --model 'qwen3-*'")}`)
    .action((mode: string, flags) =>
      run(async (out) => (await import("../commands/repair.ts")).modeCommand("second-chance", mode, flags, out)),
    );

  storeOptions(program.command("hook"))
    .description("record a coding agent's tool calls through its hooks")
    .addArgument(new Argument("<action>").choices(["install", "uninstall", "status"]))
    .argument("[agent]", `${HOOK_AGENTS.join(", ")} (default: claude-code; status: all)`)
    .addOption(new Option("--scope <scope>", "settings to change (default: user)").choices(["user", "project"]))
    .option("--spool", "write events to files instead of sending them, for machines without a server")
    .option("--pre-tool-use", "also record the event before each call, to detect calls that never finish")
    .option("--guard", "claude-code: block a call that only repeats what brought nothing new ten times")
    .option("--url <url>", "URL of the server (default: the configured one)")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("hook install claude-code")}`)
    .action((action: HookAction, agent: string | undefined, flags) =>
      run(async (out) => (await import("../commands/hook.ts")).hookCommand(action, agent, flags, out)),
    );

  storeOptions(program.command("export"))
    .description("send recorded calls and sessions to another system; for live export use `start --export`")
    .addArgument(new Argument("<target>").choices(EXPORT_TARGETS))
    .option("--since <when>", "only after this time: a duration (24h, 7d) or a date (default: everything)")
    .option("--until <when>", "only before this time: a duration or a date")
    .option("--force", "resend items that were already exported")
    .option("--dry-run", "only show how much would be sent")
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  ${commandLine("export langfuse --since 7d --dry-run")}`)
    .action((target: ExportTargetName, flags) =>
      run(async (out) => (await import("../commands/export.ts")).exportCommand(target, flags, out)),
    );

  storeOptions(program.command("migrate"))
    .description("copy recorded data from SQLite to PostgreSQL and compare both; run again to resume")
    .option("--from <folder>", "data folder to copy from (default: --data)")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `\nExample:\n  ${commandLine("migrate --from ~/.toolmend --store postgres://toolmend@db/toolmend")}`,
    )
    .action((flags) => run(async (out) => (await import("../commands/migrate.ts")).migrateCommand(flags, out)));

  serverOptions(program.command("doctor"))
    .description("check runtime, data folder, store, server and upstreams, and suggest fixes")
    .option("--json", "print JSON")
    .action((flags) => run(async (out) => (await import("../commands/doctor.ts")).doctorCommand(flags, out)));
}
