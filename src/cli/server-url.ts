import { dataFolder, readServerInfo } from "../ingest/data-folder.ts";
import type { Config } from "./config.ts";

/** URL of the running server of this data folder, or the configured one. */
export function serverUrl(config: Config): string {
  return readServerInfo(dataFolder(config.data))?.url ?? `http://${config.host}:${config.port}`;
}

/** Printed instead of the token: the shell expands it, and no secret appears in output. */
export const TOKEN_VARIABLE = "$TOOLMEND_TOKEN";

/** A URL that contains the token, for clients that cannot send a header; the plain URL without a token. */
export function withToken(url: string, token: string | undefined): string {
  return token === undefined ? url : `${url}/~${token}`;
}
