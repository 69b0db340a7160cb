import { existsSync } from "node:fs";
import { parseSpan } from "../../api/parameters.ts";
import { messageOf, toError } from "../../core/model/errors.ts";
import { KnownTranscripts } from "../../hook/catch-up/known-transcripts.ts";
import { consumeSpool } from "../../hook/spool.ts";
import {
  type DataFolder,
  dataFolder,
  hasRecords,
  prepareDataFolder,
  readServerInfo,
} from "../../ingest/data-folder.ts";
import type { Deleted, DeletionProgress } from "../../ingest/deletion/deletion-report.ts";
import { removeOlder, SessionDeleter, UncleanDeletionError } from "../../ingest/deletion/session-deleter.ts";
import { EventFeed } from "../../ingest/event-feed.ts";
import { Journal } from "../../ingest/journal/journal.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { Recorder } from "../../ingest/recorder.ts";
import { KnownServers } from "../../mcp/known-servers.ts";
import { http } from "../../proxy/http/node-http.ts";
import type { Store } from "../../store/port.ts";
import { takeWriterLock } from "../../store/sqlite/writer-lock.ts";
import { commandLine } from "../command-line.ts";
import { type Config, type Flags, readConfig, thresholdsOf } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import { pluralize } from "../format.ts";
import type { Io } from "../io.ts";
import { openStore } from "../open-store.ts";
import { saltFor } from "../server-sync.ts";
import { oneLineText, shorten } from "../table.ts";

export interface DeleteFlags extends Flags {
  readonly older?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** What to delete: one session, or all sessions without activity since a time. */
type DeleteTarget =
  | { readonly kind: "session"; readonly project: string; readonly id: string }
  | { readonly kind: "older"; readonly span: string; readonly before: number };

/** Deletes recorded sessions: through the running server if there is one, otherwise directly. */
export async function deleteCommand(id: string | undefined, flags: DeleteFlags, io: Io): Promise<number> {
  const target = targetOf(id, flags, io.now());
  const config = await readConfig(flags, io.environment);
  const folder = dataFolder(config.data);
  const deleted = await remove(config, folder, target, {
    ...io,
    errIsTerminal: io.errIsTerminal === true && flags.json !== true,
  });
  if (deleted === undefined) {
    const nothing = `Nothing is recorded in ${folder.path}, so there is nothing to delete.`;
    if (target.kind === "session") throw new CliError(nothing);
    io.out(flags.json === true ? '{"deleted":0}\n' : `${nothing}\n`);
    return 0;
  }
  if (deleted.deleted === 0 && deleted.event_lines === 0 && target.kind === "session")
    throw new CliError(
      `Session ${shorten(oneLineText(target.id), 80)} not found. Use the complete id (see \`${commandLine("sessions --json", flags)}\`), and --project if the project is not \`default\`.`,
    );
  io.out(flags.json === true ? `${JSON.stringify(deleted)}\n` : asText(deleted, target));
  if (config.store !== undefined && existsSync(folder.database))
    io.err(
      `${folder.database} was not changed: \`${commandLine("migrate")}\` copied from it. Remove the file if you no longer need it.\n`,
    );
  return 0;
}

function targetOf(id: string | undefined, flags: DeleteFlags, now: number): DeleteTarget {
  const { older, project = "default" } = flags;
  if ((id === undefined) === (older === undefined))
    throw new CliError(
      `Give a session or an age: \`${commandLine("delete SESSION", flags)}\` or \`${commandLine("delete --older 30d", flags)}\`.`,
      {
        exitCode: 2,
      },
    );
  if (id !== undefined) return { kind: "session", project, id };
  const span = parseSpan(older ?? "");
  if (span === undefined) throw new CliError("--older must be a duration such as 12h, 30d or 8w.", { exitCode: 2 });
  return { kind: "older", span: older ?? "", before: now - span };
}

/** Returns undefined, and creates nothing, if nothing was ever recorded. */
async function remove(config: Config, folder: DataFolder, target: DeleteTarget, io: Io): Promise<Deleted | undefined> {
  if (!hasRecords(folder))
    return config.store === undefined ? undefined : await removeFromShared(config, folder, target, io.now);
  const here = await withDeleter(config, io, async (deleter) => {
    const hide = showDeletion(io, async () => deleter.progress);
    try {
      return target.kind === "older"
        ? await deleter.deleteOlder(target.before)
        : await deleter.deleteSession(target.project, target.id);
    } catch (error) {
      throw error instanceof UncleanDeletionError ? new CliError(error.message, { cause: error }) : error;
    } finally {
      hide();
    }
  });
  return here ?? (await deleteThroughServer(config, folder, target, io));
}

/**
 * Deletes from a shared store on a machine without records. Servers clean their own files when they see the deletion.
 */
async function removeFromShared(
  config: Config,
  folder: DataFolder,
  target: DeleteTarget,
  now: () => number,
): Promise<Deleted> {
  const start = performance.now();
  const store = await openStore({ folder, url: config.store });
  try {
    const removed =
      target.kind === "session"
        ? await store.deleteSession(target.project, target.id, now())
        : await removeOlder(store, target.before, now);
    const { sessions: deleted, calls, exported } = removed;
    if (deleted > 0) await store.scrub();
    return { ...{ deleted, calls, exported }, ...NO_FILES, took_ms: Math.round(performance.now() - start) };
  } finally {
    await store.close();
  }
}

const NO_FILES = { event_lines: 0, event_files: 0, journal_segments: 0 };

async function deleteThroughServer(config: Config, folder: DataFolder, target: DeleteTarget, io: Io): Promise<Deleted> {
  const server = readServerInfo(folder);
  if (server === undefined)
    throw new CliError(`Another Toolmend process is writing to ${folder.path}. Wait until it ends, then try again.`);
  const path =
    target.kind === "session"
      ? `/api/sessions/${encodeURIComponent(target.id)}?project=${encodeURIComponent(target.project)}`
      : `/api/sessions?older=${target.span}`;
  const headers = config.token === undefined ? {} : { "x-toolmend-token": config.token };
  const hide = showDeletion(io, () => progressOf(server.url, headers));
  const { status, body } = await send(server.url + path, headers)
    .catch((error: unknown) => {
      throw new CliError(`The server at ${server.url} is not reachable: ${messageOf(error)}.`, { cause: error });
    })
    .finally(hide);
  throwIfUnauthorized(status);
  const reply = parsed(body) as Partial<Deleted> & { readonly error?: { readonly message?: string } };
  if (status === 404) return { deleted: 0, calls: 0, exported: 0, ...NO_FILES, took_ms: 0 };
  if (status !== 200 || typeof reply.deleted !== "number")
    throw new CliError(`The server did not delete anything: ${reply.error?.message ?? `HTTP ${status}`}`);
  return reply as Deleted;
}

type Headers = Readonly<Record<string, string>>;

/** Waits without a timeout: rewriting a large database takes minutes, and `fetch` gives up after five. */
async function send(url: string, headers: Headers): Promise<{ readonly status: number; readonly body: string }> {
  return await new Promise((resolve, reject) => {
    const sent = http.request(url, { method: "DELETE", headers, agent: false }, async (response) => {
      try {
        let body = "";
        for await (const chunk of response.setEncoding("utf8")) body += chunk;
        resolve({ status: response.statusCode ?? 0, body });
      } catch (error) {
        reject(toError(error));
      }
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function progressOf(url: string, headers: Headers): Promise<DeletionProgress | undefined> {
  const response = await fetch(`${url}/api/status`, { headers });
  const { deleting } = (await response.json()) as { readonly deleting?: DeletionProgress | null };
  return deleting ?? undefined;
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

function asText(deleted: Deleted, target: DeleteTarget): string {
  if (target.kind === "older" && deleted.deleted === 0 && deleted.event_lines === 0)
    return `No session is older than ${target.span}. Nothing was deleted.\n`;
  const { calls, event_lines, event_files, journal_segments, exported, took_ms } = deleted;
  const parts = [
    pluralize(calls, "call"),
    pluralize(event_lines, "event line"),
    ...(event_files > 0 ? [pluralize(event_files, "event day")] : []),
    pluralize(journal_segments, "journal segment"),
  ];
  const totals = target.kind === "older" ? "Aggregated totals and rates still include them.\n" : "";
  const sent = exported > 0 ? ` They contain ${exported} of the deleted calls and sessions.` : "";
  return (
    `Deleted ${pluralize(deleted.deleted, "session")}: ${parts.join(", ")}. It took ${(took_ms / 1000).toFixed(1)} s.\n${totals}` +
    `Exports that were already sent cannot be recalled.${sent}\n`
  );
}

const STEPS = {
  rows: "removing rows",
  files: "rewriting event files",
  database: "rewriting the database",
  journal: "removing journal segments",
} as const satisfies Record<DeletionProgress["step"], string>;

const EVERY_MS = 1000;

/** Shows the progress of a deletion on a terminal once a second; returns a function that stops it. */
export function showDeletion(
  { err, errIsTerminal }: Pick<Io, "err" | "errIsTerminal">,
  read: () => Promise<DeletionProgress | undefined>,
): () => void {
  if (errIsTerminal !== true) return () => undefined;
  let [isShown, isOver] = [false, false];
  const timer = setInterval(() => {
    read().then(
      (progress) => {
        if (progress === undefined || isOver) return;
        isShown = true;
        const { step, sessions, calls } = progress;
        err(
          `\r\u001b[KDeleting: ${STEPS[step]} (${pluralize(sessions, "session")}, ${pluralize(calls, "call")} so far)`,
        );
      },
      () => undefined,
    );
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    isOver = true;
    if (isShown) err("\r\u001b[K");
  };
}

/**
 * Provides a deleter for a data folder without a running server; returns undefined if another process writes the
 * folder.
 */
export async function withDeleter<T>(
  config: Config,
  io: Pick<Io, "now" | "err">,
  work: (deleter: SessionDeleter) => Promise<T>,
): Promise<T | undefined> {
  const folder = dataFolder(config.data);
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  if (lock === undefined) return undefined;
  try {
    const store = await openStore({ folder, url: config.store });
    try {
      return await workOn(config, folder, store, io, work);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

async function workOn<T>(
  config: Config,
  folder: DataFolder,
  store: Store,
  { now, err }: Pick<Io, "now" | "err">,
  work: (deleter: SessionDeleter) => Promise<T>,
): Promise<T> {
  const journal = new Journal({ folder: folder.journal, durable: config.durable });
  const feed = new EventFeed({
    ...{ store, now, folder: folder.events },
    ...(store.shared !== undefined && { cursor: `events:${journal.id}` }),
    onProblem: (message) => err(`${message}\n`),
  });
  const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected, thresholds: thresholdsOf(config) });
  const observer = new CallObserver({
    ...{ capture: config.capture, detect: config.detect },
    salt: await saltFor(folder, store),
  });
  const deleter = new SessionDeleter({
    ...{ store, recorder, feed, folder, now },
    journal: journal.id,
    // Record events that hooks wrote while no server ran: they may belong to the session.
    async settle() {
      const mcpServers = new KnownServers(folder.mcpServers);
      await consumeSpool({ folder: folder.spool, observer, record: recorder.record.bind(recorder), now, mcpServers });
    },
    forgetTranscripts(isDeleted) {
      const known = new KnownTranscripts(folder.transcripts);
      if (known.forget(isDeleted) > 0) known.save();
    },
  });
  try {
    await recorder.start();
    return await work(deleter);
  } finally {
    await recorder.close();
    await feed.drain();
  }
}
