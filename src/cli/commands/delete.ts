import { parseSpan } from "../../api/parameters.ts";
import { dataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { deleteOlder } from "../../ingest/delete-older.ts";
import type { Store } from "../../store/port.ts";
import { type Config, type Flags, readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { StartError } from "../start-error.ts";
import { oneLineText, shorten } from "../table.ts";
import { mustNotWantToken } from "../token-wanted.ts";
import { withStore } from "../with-store.ts";

export interface DeleteFlags extends Flags {
  readonly older?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** What to remove: one session, or all whose last sign of life is older. */
type Unwanted =
  | { readonly kind: "session"; readonly project: string; readonly id: string }
  | { readonly kind: "older"; readonly span: string; readonly before: number };

/** Removes what was recorded: through the running server where there is one, else directly. */
export async function deleteCommand(id: string | undefined, flags: DeleteFlags, io: Io): Promise<number> {
  const unwanted = unwantedOf(id, flags, io.now());
  const config = readConfig(flags, io.environment);
  const folder = dataFolder(config.data);
  const deleted = (await withStore(config, (store) => remove(store, unwanted))) ?? (await handOver(config, unwanted));
  if (deleted === 0 && unwanted.kind === "session")
    throw new StartError(
      `There is no session ${shorten(oneLineText(unwanted.id), 80)}. Deleting takes the whole id (\`toolmend show\` tells it), and --project where that is not \`default\`.`,
    );
  io.out(flags.json === true ? `${JSON.stringify({ deleted })}\n` : asText(deleted, unwanted, folder.events));
  return 0;
}

function unwantedOf(id: string | undefined, { older, project = "default" }: DeleteFlags, now: number): Unwanted {
  if ((id === undefined) === (older === undefined))
    throw new StartError("Name one session, or an age: `toolmend delete SESSION` or `toolmend delete --older 30d`.", 2);
  if (id !== undefined) return { kind: "session", project, id };
  const span = parseSpan(older ?? "");
  if (span === undefined) throw new StartError("--older must be a span such as 12h, 30d or 8w.", 2);
  return { kind: "older", span: older ?? "", before: now - span };
}

async function remove(store: Store, unwanted: Unwanted): Promise<number> {
  if (unwanted.kind === "older") return await deleteOlder(store, unwanted.before);
  return (await store.deleteSession(unwanted.project, unwanted.id)) ? 1 : 0;
}

async function handOver(config: Config, unwanted: Unwanted): Promise<number> {
  const folder = dataFolder(config.data);
  const server = readServerInfo(folder);
  if (server === undefined)
    throw new StartError(`Another Toolmend is writing to ${folder.path}. Wait for it to end, then try again.`);
  const path =
    unwanted.kind === "session"
      ? `/api/sessions/${encodeURIComponent(unwanted.id)}?project=${encodeURIComponent(unwanted.project)}`
      : `/api/sessions?older=${unwanted.span}`;
  const headers = config.token === undefined ? {} : { "x-toolmend-token": config.token };
  const response = await fetch(server.url + path, { method: "DELETE", headers }).catch((error: Error) => {
    throw new StartError(`The server at ${server.url} does not answer: ${error.message}.`);
  });
  mustNotWantToken(response.status);
  if (response.status === 404) return 0;
  const body = (await response.json().catch(() => ({}))) as {
    readonly deleted?: number;
    readonly error?: { readonly message?: string };
  };
  if (!response.ok || typeof body.deleted !== "number")
    throw new StartError(`The server did not delete: ${body.error?.message ?? `it answered ${response.status}`}`);
  return body.deleted;
}

function asText(deleted: number, unwanted: Unwanted, events: string): string {
  const what = deleted === 1 ? "1 session" : `${deleted} sessions`;
  const figures = unwanted.kind === "older" ? " What they added to figures and rates stays." : "";
  return `Removed ${what} from the store.${figures}\nEvent files in ${events} are copies of your own and stay: remove those that must go too.\n`;
}
