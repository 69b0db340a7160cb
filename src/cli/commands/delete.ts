import { parseSpan } from "../../api/parameters.ts";
import { dataFolder, prepareDataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { Journal } from "../../ingest/journal/journal.ts";
import { Recorder } from "../../ingest/recorder.ts";
import type { Store } from "../../store/port.ts";
import { takeWriterLock } from "../../store/sqlite/writer-lock.ts";
import { type Config, type Flags, readConfig } from "../config.ts";
import { deleteOlder } from "../delete-older.ts";
import type { Io } from "../io.ts";
import { openStore } from "../open-store.ts";
import { StartError } from "../start-error.ts";
import { oneLineText, shorten } from "../table.ts";

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
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  let deleted: number;
  if (lock === undefined) deleted = await handOver(config, unwanted);
  else
    try {
      deleted = await withStore(config, (store) => remove(store, unwanted));
    } finally {
      lock.release();
    }
  if (deleted === 0 && unwanted.kind === "session")
    throw new StartError(
      `There is no session ${shorten(oneLineText(unwanted.id), 80)}. \`toolmend sessions\` lists them.`,
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

/** What was acknowledged is stored first: else a session would come back with the next start. */
async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const folder = dataFolder(config.data);
  const store = await openStore({ folder, url: config.store });
  const journal = new Journal({ folder: folder.journal, durable: config.durable });
  const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected });
  try {
    await recorder.start();
    await recorder.drain();
    return await work(store);
  } finally {
    await recorder.close();
    await store.close();
  }
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
