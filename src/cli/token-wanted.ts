import { CliError } from "./errors.ts";

/** A server that asks for a token speaks to programs; here somebody sits who can set it. */
export function throwIfUnauthorized(status: number | undefined): void {
  if (status === 401)
    throw new CliError("The server wants a token: set TOOLMEND_TOKEN as it was set for `toolmend start`.");
}
