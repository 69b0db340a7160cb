import { dataFolder, readServerInfo } from "../ingest/data-folder.ts";
import type { Config } from "./config.ts";

/** URL of the running server of this data folder, or the configured one. */
export function serverUrl(config: Config): string {
  return readServerInfo(dataFolder(config.data))?.url ?? `http://${config.host}:${config.port}`;
}

/** Printed instead of the token: the shell expands it, and no secret appears in output. */
export const TOKEN_VARIABLE = "$TOOLMEND_TOKEN";

/**
 * What is printed instead of the token: the variable if it is set, else a word to replace. Undefined without a token.
 */
export function tokenText(config: Config, environment: NodeJS.ProcessEnv): string | undefined {
  if (config.token === undefined) return undefined;
  return environment.TOOLMEND_TOKEN ? TOKEN_VARIABLE : TOKEN_WORD;
}

export const TOKEN_WORD = "TOKEN";

/** A URL that contains the token, for clients that cannot send a header; the plain URL without a token. */
export function withToken(url: string, token: string | undefined): string {
  return token === undefined ? url : `${url}/~${token}`;
}
