import { type Command, Option } from "commander";
import { commandLine } from "../command-line.ts";
import type { Run } from "./options.ts";
import { serverOptions, storeOptions } from "./options.ts";

/** Commands for the first look, for running a server and for connecting clients to it. */
export function addServingCommands(program: Command, run: Run): void {
  program
    .command("overview")
    .description("show what fails in the transcripts of this machine's agents; stores nothing (the default command)")
    .option("--max-seconds <number>", "when to stop reading, in seconds after the start (default: 2.5)")
    .option("--json", "print JSON")
    .action((flags) => run(async (io) => (await import("../commands/overview.ts")).overviewCommand(flags, io)));

  serverOptions(program.command("start"))
    .description("run proxy, recorder and dashboard")
    .action((flags) => run(async (out) => (await import("../commands/start.ts")).startCommand(flags, out)));

  const env = program
    .command("env [client]")
    .description("print the environment variables that point a client at Toolmend");
  storeOptions(env)
    .addOption(new Option("--host <address>", "address of the server"))
    .addOption(new Option("--port <number>", "port of the server"))
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  eval "$(${commandLine("env claude-code")})" && claude`)
    .action((client: string | undefined, flags) =>
      run(async (out) => (await import("../commands/env.ts")).envCommand(client, flags, out)),
    );

  storeOptions(program.command("run"))
    .description("run a client with its base URL pointed at Toolmend")
    .argument("<command...>", "the client and its arguments, after --")
    .passThroughOptions()
    .addHelpText("after", `\nExample:\n  ${commandLine("run -- claude --continue")}`)
    .action((command: readonly string[], flags) =>
      run(async (out) => (await import("../commands/run.ts")).runCommand(command, flags, out)),
    );

  program
    .command("demo")
    .description("run scripted agents through the real proxy, with generated history; needs no key and no network")
    .option("--port <number>", "port of the dashboard")
    .option("--data <folder>", "data folder of the demo (default: ~/.toolmend-demo)")
    .option("--once", "run the agents once, print the report and stop")
    .action((flags) => run(async (out) => (await import("../commands/demo.ts")).demoCommand(flags, out)));
}
