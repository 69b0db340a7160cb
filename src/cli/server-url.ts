import { dataFolder, readServerInfo } from "../ingest/data-folder.ts";
import type { Config } from "./config.ts";

/** Where the server of this data folder is, or would be. */
export function serverUrl(config: Config): string {
  return readServerInfo(dataFolder(config.data))?.url ?? `http://${config.host}:${config.port}`;
}
