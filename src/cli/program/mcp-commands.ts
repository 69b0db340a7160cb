import { Argument, type Command, Option } from "commander";
import { commandLine } from "../command-line.ts";
import type { McpAction } from "../commands/mcp.ts";
import type { Run } from "./options.ts";
import { storeOptions } from "./options.ts";

/** Commands for MCP servers. */
export function addMcpCommands(program: Command, run: Run): void {
  const mcp = program.command("mcp").description("record what MCP servers return, and let agents ask which tools fail");

  // The bin runs this command without loading the rest of the program; here it is declared for `--help`.
  mcp
    .command("wrap")
    .usage(
      "[--name <name>] [--data <folder>] [--repair-calls <mode>] -- <command...>\n       toolmend mcp wrap --http <url> [--port <number>]",
    )
    .description("run an MCP server over stdio, pass everything through unchanged, and record its tool calls")
    .argument("[command...]")
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((_command, _flags, { args }: Command) =>
      run(async () => (await import("../../mcp/wrap/run-wrapper.ts")).runWrapper(["--", ...args])),
    );

  storeOptions(mcp.command("serve"))
    .description("an MCP server over stdio that agents ask about their tools: which fail, why, and what helps")
    .option("--project <name>", "the project whose records are served (default: default)")
    .addOption(
      new Option("--install <client>", "add this server to the client's configuration").choices(["claude-code"]),
    )
    .option("--dry-run", "with --install: only show the changed lines")
    .addHelpText("after", `\nExample:\n  ${commandLine("mcp serve --install claude-code")}`)
    .action((flags) => run(async (io) => (await import("../commands/mcp-serve.ts")).mcpServeCommand(flags, io)));

  storeOptions(mcp.command("findings"))
    .description("show what the authors of MCP servers can improve: calls that do not fit, noise, missing descriptions")
    .argument("[server]", "name of a server (default: all)")
    .option("--since <when>", "only after this time: a duration (24h, 7d) or a date (default: 7d)")
    .option("--until <when>", "only before this time: a duration or a date")
    .option("--project <name>", "only this project")
    .option("--json", "print JSON")
    .action((server: string | undefined, flags) =>
      run(async (io) => (await import("../commands/mcp-findings.ts")).mcpFindingsCommand(flags, io, server)),
    );

  for (const [action, description] of ACTIONS) {
    const command = storeOptions(mcp.command(action))
      .description(description)
      .addArgument(
        new Argument("[client]", "claude-code, codex, opencode, gemini, qwen, cursor or vscode (default: all)"),
      )
      .argument("[server...]", "names of servers (default: all)")
      .addOption(new Option("--scope <scope>", "configuration to change (default: user)").choices(["user", "project"]))
      .option("--dry-run", "only show the changed lines")
      .option("--json", "print JSON")
      .action((client: string | undefined, servers: readonly string[], flags) =>
        run(async (io) => (await import("../commands/mcp.ts")).mcpCommand(action, client, servers, flags, io)),
      );
    if (action === "install")
      command.addOption(
        new Option(
          "--repair-calls <mode>",
          "observe or repair calls that do not fit their schemas (default: observe)",
        ).choices(["observe", "on"]),
      );
  }
}

const ACTIONS: readonly (readonly [action: McpAction, description: string])[] = [
  ["install", "add the wrapper to the MCP servers of a client"],
  ["uninstall", "remove the wrapper, and the server that `mcp serve --install` added; restores every byte"],
  ["status", "show which MCP servers run through the wrapper"],
];
