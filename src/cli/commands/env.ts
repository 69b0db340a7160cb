import { type ConnectLine, type ConnectSetup, connectLines, shellWord } from "../../api/connect-lines.ts";
import { ownUpstreams } from "../../proxy/upstreams.ts";
import { type Flags, readConfig, upstreamsOf } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { serverUrl, TOKEN_VARIABLE, withToken } from "../server-url.ts";

interface EnvFlags extends Flags {
  readonly json?: boolean;
}

/** Prints the lines that point a client at the server, ready for `eval`. */
export async function envCommand(client: string | undefined, flags: EnvFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  // A port that was asked for counts more than that of a running server.
  const server = flags.port === undefined ? serverUrl(config) : `http://${config.host}:${config.port}`;
  const url = withToken(server, config.token && TOKEN_VARIABLE);
  const lines = connectLines(url, ownUpstreams(upstreamsOf(config, io.environment).values()).llm);
  const selected =
    client === undefined ? lines : lines.filter((line) => line.client === client || line.command === client);
  if (selected.length === 0) {
    throw new CliError(`Unknown client "${client}". Supported: ${lines.map((line) => line.client).join(", ")}.`, {
      exitCode: 2,
    });
  }
  if (flags.json === true) {
    io.out(`${JSON.stringify(selected.map(asJson), null, 2)}\n`);
    return 0;
  }
  if (config.token !== undefined && !io.environment.TOOLMEND_TOKEN)
    io.out("# Set TOOLMEND_TOKEN to the token in the configuration first.\n");
  for (const { title, environment, command, arguments: more = [], setup } of selected) {
    if (selected.length > 1) io.out(`# ${title}\n`);
    for (const [name, value] of environment) io.out(`export ${name}=${shellWord(value)}\n`);
    if (setup !== undefined) io.out(setupText(setup));
    if (more.length > 0) io.out(`${command}() { command ${command} ${more.join(" ")} "$@"; }\n`);
  }
  return 0;
}

/** A comment, so that `eval` does not run it: it would change a file of the user. */
export function setupText(setup: ConnectSetup): string {
  return setup.kind === "command" ? `# Run once: ${setup.command}\n` : `# Add to ${setup.file}:\n#   ${setup.text}\n`;
}

/** Like the printed lines, contains the name of the token variable instead of the token. */
function asJson({ client, title, environment, command, arguments: more = [], setup }: ConnectLine): object {
  return {
    ...{ client, title, environment: Object.fromEntries(environment), command: command ?? null, arguments: more },
    ...(setup !== undefined && { setup }),
  };
}
