import { type Command, Option } from "commander";
import { REDACT_LEVELS } from "../../core/redact/redact.ts";
import { REPAIR_MODES } from "../../core/repair/index.ts";
import { CAPTURES } from "../../ingest/observe/observe-call.ts";

/** Which records, and in which form. */
export function listOptions(command: Command): Command {
  return storeOptions(command)
    .option("--since <when>", "from here on: a span (24h, 7d) or a date")
    .option("--until <when>", "up to here: a span or a date")
    .option("--project <name>", "only this project")
    .addOption(new Option("--json", "for programs").conflicts("csv"))
    .option("--csv", "for spreadsheets");
}

/** Where the records are. */
export function storeOptions(command: Command): Command {
  return command
    .option("--data <folder>", "data folder (default: ~/.toolmend)")
    .option("--store <url>", "postgres://… for several servers on one database (default: SQLite in the data folder)")
    .option("--config <file>", "configuration file (default: toolmend.config.json here)");
}

/** How a server runs. */
export function serverOptions(command: Command): Command {
  const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];
  return storeOptions(command)
    .option("--port <number>", "port to listen on (default: 4100)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1; beyond loopback a token is needed)")
    .option("--anthropic <url>", "where /v1/messages goes")
    .option("--openai <url>", "where the rest of /v1 goes")
    .option("--upstream <name=url>", "a further server, reached as /NAME/…; may be repeated", collect)
    .addOption(new Option("--capture <level>", "how much text is kept").choices(CAPTURES))
    .addOption(
      new Option("--redact <level>", "what is removed from it: secrets, or personal data too").choices(REDACT_LEVELS),
    )
    .option("--watch <folder>", "follow transcripts in a folder live; may be repeated", collect)
    .option("--keep <span>", "how long sessions are kept, such as 90d; sums stay (default: forever)")
    .option("--idle-timeout <span>", "treat a session as ended after this much inactivity (default: 30m)")
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
