import { Argument, type Command, Option } from "commander";
import { REPAIR_MODES } from "../../core/repair/index.ts";
import { EXPORT_TARGETS, type ExportTargetName } from "../../export/export-settings.ts";
import type { HookAction } from "../commands/hook.ts";
import { serverOptions, storeOptions } from "./options.ts";
import type { Run } from "./run.ts";

/** How things stand, and how they shall be. */
export function addAdminCommands(program: Command, run: Run): void {
  storeOptions(program.command("repair"))
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
      run(async (out) => (await import("../commands/repair.ts")).repairCommand(mode, flags, out)),
    );

  storeOptions(program.command("hook"))
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
      run(async (out) => (await import("../commands/hook.ts")).hookCommand(action, agent, flags, out)),
    );

  storeOptions(program.command("export"))
    .description("send what was recorded to another system; live export is `start --export`")
    .addArgument(new Argument("<target>").choices(EXPORT_TARGETS))
    .option("--since <when>", "from here on: a span (24h, 7d) or a date (default: everything)")
    .option("--until <when>", "up to here: a span or a date")
    .option("--force", "resend items that were already exported")
    .option("--dry-run", "only say how much it would be")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend export langfuse --since 7d --dry-run")
    .action((target: ExportTargetName, flags) =>
      run(async (out) => (await import("../commands/export.ts")).exportCommand(target, flags, out)),
    );

  storeOptions(program.command("migrate"))
    .description("copy what was recorded from SQLite to PostgreSQL, and compare both; may be run again where it ended")
    .option("--from <folder>", "data folder to copy from (default: --data)")
    .option("--json", "for programs")
    .addHelpText("after", "\nExample:\n  toolmend migrate --from ~/.toolmend --store postgres://toolmend@db/toolmend")
    .action((flags) => run(async (out) => (await import("../commands/migrate.ts")).migrateCommand(flags, out)));

  serverOptions(program.command("doctor"))
    .description("check runtime, data folder, store, server and upstreams, and say what to do")
    .option("--json", "for programs")
    .action((flags) => run(async (out) => (await import("../commands/doctor.ts")).doctorCommand(flags, out)));
}
