import { isApplication, isNamedBy } from "../../core/detect/clients/choose-profile.ts";
import { chooseClientProfile } from "../../core/detect/index.ts";
import type { ObservationBase } from "../../core/model/observation.ts";
import type { HeaderLookup } from "../../core/wire/index.ts";
import { systemStart } from "../../core/wire/system-text.ts";

const MAX_CACHED_CLIENTS = 1000;
const clients = new Map<string, Client>();

export type Client = Pick<ObservationBase, "client" | "client_version">;

/** `claude-cli/2.1.3 (external, cli)`: the first number with a dot. */
const VERSION = /\d{1,6}(?:\.\d{1,6}){1,3}/;

/**
 * Cached, because there are few clients and each sends many requests. Several clients send only the name of an SDK, and
 * introduce themselves in the system prompt.
 */
export function clientOf(head: HeaderLookup, body: unknown): Client {
  const userAgent = head("user-agent") ?? "";
  const known = clients.get(userAgent);
  if (known !== undefined) return known;
  const name = chooseClientProfile({ userAgent, headers: head, systemText: systemStart(body) });
  // Without a known name, the version may be that of a browser or of an HTTP library.
  const version = isNamedBy(name, userAgent) ? VERSION.exec(userAgent.slice(0, 200))?.[0] : undefined;
  const client: Client = { client: name, ...(version !== undefined && { client_version: version }) };
  if (clients.size >= MAX_CACHED_CLIENTS) clients.clear();
  // A longer value is not a typical user agent and unlikely to repeat. The other clues are not in the key.
  if (userAgent.length <= 200 && isApplication(name) && isNamedBy(name, userAgent)) clients.set(userAgent, client);
  return client;
}
