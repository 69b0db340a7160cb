import { connectLines } from "../../api/connect-lines.ts";
import { dataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { type Flags, readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { StartError } from "../start-error.ts";

/** Prints the lines that point a client at the server, ready for `eval`. */
export async function envCommand(client: string | undefined, flags: Flags, io: Io): Promise<number> {
  const config = readConfig(flags, io.environment);
  const running = readServerInfo(dataFolder(config.data))?.url;
  const lines = connectLines(running ?? `http://${config.host}:${config.port}`);
  const asked = client === undefined ? lines : lines.filter((line) => line.client === client);
  if (asked.length === 0) {
    throw new StartError(`There is no client "${client}". Known: ${lines.map((line) => line.client).join(", ")}.`, 2);
  }
  for (const { title, environment } of asked) {
    if (asked.length > 1) io.out(`# ${title}\n`);
    for (const [name, value] of environment) io.out(`export ${name}=${value}\n`);
  }
  return 0;
}
