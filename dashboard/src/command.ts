import type { ServerStatus } from "../../src/api/server-status.ts";

/** A command of Toolmend with its arguments, then the text after the options. */
export type WriteCommand = (args: string, rest?: string) => string;

/** A command that works as shown and reads the records of this server. */
export function commandOf(
  { command, command_options: options }: Pick<ServerStatus, "command" | "command_options">,
  ...given: Parameters<WriteCommand>
): string {
  const [args, rest = ""] = given;
  return [command, args, options, rest].filter((part) => part !== "").join(" ");
}
