import { type Command, Option } from "commander";
import type { RecoverMode } from "../../core/recover/types.ts";
import { commandLine } from "../command-line.ts";
import type { Run } from "./options.ts";

interface RecoverFlags {
  readonly jsonl?: boolean;
  readonly json?: boolean;
  readonly mode?: RecoverMode;
  readonly tools?: string;
}

/** Commands that process single texts without a server or a store. */
export function addTextCommands(program: Command, run: Run): void {
  program
    .command("recover")
    .description("extract leaked tool calls from text on standard input")
    .option("--jsonl", "read lines {id?, text, tools?, context?} and write lines {id, content, toolCalls, matches}")
    .addOption(new Option("--mode <mode>", "how readily text counts as a call").choices(["safe", "eager", "strict"]))
    .option("--tools <names>", "declared tools, separated by commas")
    .option("--json", "print JSON on a terminal, too")
    .addHelpText(
      "after",
      `\nExample:\n  echo '<tool_call>{"name":"ls","arguments":{}}</tool_call>' | ${commandLine("recover")}`,
    )
    .action(({ jsonl, json, mode, tools }: RecoverFlags) =>
      run(async () => {
        const { recoverCommand } = await import("../commands/recover.ts");
        const declared = tools?.split(",").map((name) => ({ name: name.trim() }));
        return await recoverCommand(
          {
            ...(jsonl && { jsonl }),
            asText: process.stdout.isTTY === true && json !== true,
            ...(mode && { mode }),
            ...(declared && { tools: declared }),
          },
          process,
        );
      }),
    );

  program
    .command("repair-calls")
    .description(
      "check native tool calls from standard input against their schemas, and repair them where only one reading fits",
    )
    .requiredOption("--jsonl", "read lines {id?, tools: [{name, parameters}], calls: [{name, arguments}]}")
    .addHelpText(
      "after",
      '\nExample:\n  echo \'{"tools":[{"name":"read","parameters":{"type":"object","properties":{"lines":{"type":"integer"}}}}],' +
        '"calls":[{"name":"Read","arguments":"{\\"lines\\": \\"5\\"}"}]}\' | ' +
        commandLine("repair-calls --jsonl"),
    )
    .action(() => run(async () => (await import("../commands/repair-calls.ts")).repairCallsCommand(process)));

  program
    .command("loops")
    .description("find calls in a row that brought nothing new, in conversations from standard input")
    .requiredOption("--jsonl", "read lines {id?, messages}: a conversation in Chat, Messages or Responses shape")
    .addHelpText(
      "after",
      "\nWrites lines {id, loops: [{kind, period, run, at, tools}], at}: `at` is the index of the message whose result " +
        "made the third call in a row that brought nothing new, or null.",
    )
    .action(() => run(async () => (await import("../commands/loops.ts")).loopsCommand(process)));

  program
    .command("detect")
    .description("classify tool results from standard input: one text, or JSON lines")
    .option("--jsonl", "read lines {id?, tool_name?, arguments?, content, is_error?, client?, api?}")
    .option("--tool <name>", "the tool, for a single text")
    .option("--client <name>", "the client, for a single text")
    .option("--json", "print JSON on a terminal, too")
    .option("--no-heuristics", "use only flags and reported exit statuses")
    .option("--config <file>", "configuration file with your own rules (default: toolmend.config.json here)")
    .addHelpText("after", `\nExample:\n  echo "Exit code 1" | ${commandLine("detect --tool Bash")}`)
    .action((flags) => run(async (out) => (await import("../commands/detect.ts")).detectWithConfig(flags, out)));
}
