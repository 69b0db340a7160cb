import { type Command, Option } from "commander";
import { GUARD_MODES } from "../../core/loop/guard-modes.ts";
import { REDACT_LEVELS } from "../../core/redact/levels.ts";
import { CALL_REPAIR_MODES, REPAIR_MODES } from "../../core/repair/modes.ts";
import { CAPTURES } from "../../ingest/observe/capture.ts";
import { WEBSOCKET_MODES } from "../../proxy/websocket/modes.ts";
import type { Io } from "../io.ts";

/** Options that select records and the output format. */
export function listOptions(command: Command): Command {
  return storeOptions(command)
    .option("--since <when>", "only after this time: a duration (24h, 7d) or a date")
    .option("--until <when>", "only before this time: a duration or a date")
    .option("--project <name>", "only this project")
    .addOption(new Option("--json", "print JSON").conflicts("csv"))
    .option("--csv", "print CSV");
}

/** Options that locate the store. */
export function storeOptions(command: Command): Command {
  return command
    .option("--data <folder>", "data folder (default: ~/.toolmend)")
    .option("--store <url>", "postgres://… for several servers on one database (default: SQLite in the data folder)")
    .option("--config <file>", "configuration file (default: toolmend.config.json here)");
}

/** Options of a server. */
export function serverOptions(command: Command): Command {
  const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];
  return storeOptions(command)
    .option("--port <number>", "port to listen on (default: 4100)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1; other addresses need a token)")
    .option("--anthropic <url>", "upstream for /v1/messages")
    .option("--openai <url>", "upstream for all other /v1 paths")
    .option("--gemini <url>", "upstream for /v1beta paths, Google's API")
    .option("--ollama <url>", "upstream for Ollama's /api/chat (default: http://127.0.0.1:11434)")
    .option("--upstream <name=url>", "additional upstream, available at /NAME/…; repeatable", collect)
    .addOption(new Option("--capture <level>", "how much text is stored").choices(CAPTURES))
    .addOption(
      new Option("--redact <level>", "what to redact from stored text: secrets, or also personal data").choices(
        REDACT_LEVELS,
      ),
    )
    .option("--watch <folder>", "follow transcripts in a folder live; repeatable", collect)
    .option("--keep <span>", "how long to store sessions, such as 90d; aggregated totals remain (default: forever)")
    .option("--idle-timeout <span>", "treat a session as ended after this much inactivity (default: 30m)")
    .option(
      "--export <targets>",
      "export calls and scores to langfuse, otlp, or both (comma-separated); keys from the environment",
    )
    .option("--allow-host <name>", "additional host name for requests to this server; repeatable", collect)
    .addOption(
      new Option(
        "--repair <mode>",
        "which tool calls that a model wrote as text are repaired (default: known)",
      ).choices(REPAIR_MODES),
    )
    .addOption(
      new Option(
        "--repair-calls <mode>",
        "whether native calls that do not fit their schemas are repaired (default: on where leaks are repaired)",
      ).choices(CALL_REPAIR_MODES),
    )
    .addOption(
      new Option("--guard <mode>", "what to do about agents that repeat themselves (default: observe)").choices(
        GUARD_MODES,
      ),
    )
    .option("--second-chance", "ask the model again if no call of its turn can work")
    .option("--notify <command>", "report loops to a command (JSON on standard input) or a URL")
    .option("--clean-history", "remove leaked calls from the message history in requests")
    .option("--durable", "survive power loss: fsync before acknowledging")
    .addOption(
      new Option(
        "--websocket <mode>",
        "forward WebSockets where responses need no repair, or never (default: auto)",
      ).choices(WEBSOCKET_MODES),
    )
    .addOption(
      new Option("--log-level <level>", "level of the log on stderr").choices([
        "debug",
        "info",
        "warn",
        "error",
        "silent",
      ]),
    );
}

/** Runs a command and stores its exit code. Each command loads its code on demand, so that the CLI starts fast. */
export type Run = (action: (io: Io) => Promise<number>) => Promise<void>;
