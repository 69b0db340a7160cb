import { dataFolder, readServerInfo } from "../ingest/data-folder.ts";
import type { Config } from "./config.ts";

/** Where the server of this data folder is, or would be. */
export function serverUrl(config: Config): string {
  return readServerInfo(dataFolder(config.data))?.url ?? `http://${config.host}:${config.port}`;
}

/** The token in an address, by the name of its variable: what is printed must not hold it. */
export const TOKEN_VARIABLE = "$TOOLMEND_TOKEN";

/** An address with the token in it, for clients that can set nothing else; the address alone where none is asked for. */
export function withToken(url: string, token: string | undefined): string {
  return token === undefined ? url : `${url}/~${token}`;
}
