import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExportControl } from "../../api/export-routes.ts";
import { messageOf } from "../../core/model/errors.ts";
import type { ExportTargetName } from "../../export/export-settings.ts";
import { Exporter } from "../../export/exporter.ts";
import { dataFolder, prepareDataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { Journal } from "../../ingest/journal/journal.ts";
import { Recorder } from "../../ingest/recorder.ts";
import type { BackfillQuery, Filled, Range, Store, StoreReader } from "../../store/port.ts";
import { takeWriterLock } from "../../store/sqlite/writer-lock.ts";
import { type Config, type Flags, readConfig, thresholdsOf } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import { readExportConfig } from "../export-config.ts";
import { pluralize } from "../format.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { openStore } from "../open-store.ts";
import { ProgressBar } from "../progress-bar.ts";
import { type RangeFlags, rangeOf } from "../range.ts";

export interface ExportFlags extends Flags, RangeFlags {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Runs the export: this process, or the running server. */
interface ExportRunner extends Pick<ExportControl, "status" | "backfill"> {
  /** Sends a batch of queued items, or waits while the server sends them. */
  step(): Promise<void>;
}

const SESSION_BATCH_SIZE = 200;

/** Sends recorded calls and sessions to another system. */
export async function exportCommand(target: ExportTargetName, flags: ExportFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  const range = rangeOf(flags, io.now());
  if (flags.dryRun === true) return await dryRun(target, range, flags, config, io);
  // Reports missing keys before anything else.
  const exporting = readExportConfig(config, io.environment, [target]);
  requireData(config);
  const own = withStore(config, async (store) => {
    const onProblem = (text: string): void => {
      // A failure ends the command with the same message.
      if (!text.startsWith(`Export to ${target} failed:`)) io.err(`${text}\n`);
    };
    const exporter = new Exporter({ ...exporting, store, now: io.now, onProblem });
    const runner: ExportRunner = {
      status: () => exporter.status(),
      backfill: (name, query) => exporter.backfill(name, query),
      step: async () => {
        await exporter.flush();
        await sleep(50);
      },
    };
    try {
      return await runExport(target, range, flags, runner, io);
    } finally {
      await exporter.close();
    }
  });
  const done = (await own) ?? (await runExport(target, range, flags, await throughServer(target, config), io));
  // Not "sent": without --force, items that the target has already are skipped.
  const text = `${target} has received ${pluralize(done.items, "span")} of ${pluralize(done.sessions, "session")}.\n`;
  io.out(flags.json === true ? `${JSON.stringify({ target, ...done })}\n` : text);
  return 0;
}

/** Opening the store to write would create a mistyped folder. Observations may still be in the journal. */
function requireData({ data, store }: Config): void {
  const { database, journal, path } = dataFolder(data);
  if (store === undefined && !existsSync(database) && !existsSync(journal))
    throw new CliError(
      `Nothing recorded in ${path} yet. If the records are elsewhere, pass their folder as \`--data\`.`,
    );
}

interface Done {
  readonly sessions: number;
  readonly items: number;
}

async function runExport(
  target: string,
  range: Range,
  flags: ExportFlags,
  runner: ExportRunner,
  io: Io,
): Promise<Done> {
  const bar = new ProgressBar(flags.json === true || !io.isTerminal ? undefined : io.err, io.width, io.now);
  const done = { sessions: 0, items: 0 };
  for (let after: string | null | undefined; after !== null; ) {
    const filled: Filled = await runner.backfill(target, queryOf(range, flags, after));
    done.sessions += filled.sessions;
    done.items += filled.items;
    after = filled.next_cursor;
  }
  const filledAt = io.now();
  /**
   * Queued items of this export. Items that live traffic queued since are not counted: this command need not wait for
   * them.
   */
  const waiting = async (): Promise<number> => {
    const own = (await runner.status()).find((one) => one.target === target);
    if (own?.problem && !own.throttled) throw new CliError(failureText(target, own.problem, own.queued));
    return own?.oldest_queued_at == null || own.oldest_queued_at > filledAt ? 0 : own.queued;
  };
  for (let left = await waiting(); left > 0; left = await waiting()) {
    bar.show({ done: Math.max(0, done.items - left), total: done.items, counted: "sent", label: "" });
    await runner.step();
  }
  bar.clear();
  return done;
}

function queryOf(range: Range, { force }: ExportFlags, cursor: string | undefined): Omit<BackfillQuery, "now"> {
  return {
    limit: SESSION_BATCH_SIZE,
    ...(range.since !== undefined && { since: range.since }),
    ...(range.until !== undefined && { until: range.until }),
    ...(cursor !== undefined && { cursor }),
    ...(force === true && { force }),
  };
}

function failureText(target: string, problem: string, waiting: number): string {
  return `Export to ${target} failed: ${problem}. ${waiting} items are queued. Run the command again or start with \`--export ${target}\` to retry.`;
}

async function dryRun(
  target: ExportTargetName,
  range: Range,
  flags: ExportFlags,
  config: Config,
  io: Io,
): Promise<number> {
  // Programs get zeros for a folder without data, as from every command.
  if (flags.json !== true) requireData(config);
  const reader = await openReader(config, io, { allowEmpty: true });
  try {
    const { sessions, spans, scores } = await countSessions(reader, range);
    if (flags.json === true) io.out(`${JSON.stringify({ target, dry_run: true, sessions, spans, scores })}\n`);
    else {
      const what = `${pluralize(spans, "span")} and ${pluralize(scores, "score")} of ${pluralize(sessions, "session")}`;
      if (flags.force === true) io.out(`Would send to ${target}: ${what}.\n`);
      else io.out(`Would send to ${target}: at most ${what}. What was sent before is skipped.\n`);
    }
  } finally {
    await reader.close();
  }
  return 0;
}

interface Counted {
  readonly sessions: number;
  readonly spans: number;
  readonly scores: number;
}

/** Counts the sessions a backfill takes, each with all its calls: those whose last activity is in the range. */
async function countSessions(reader: StoreReader, range: Range): Promise<Counted> {
  let counted: Counted = { sessions: 0, spans: 0, scores: 0 };
  for (let offset = 0; ; offset += SESSION_BATCH_SIZE) {
    const rows = await reader.sessions({ ...range, limit: SESSION_BATCH_SIZE, offset });
    for (const { project, session_id, calls, ok, failed, success_rate, requests } of rows) {
      // One score per known outcome and 3 more per failure; per session 2, 1 more with a rate and 1 more with a
      // failure.
      const scores = ok + 4 * failed + 2 + Number(success_rate !== null) + Number(failed > 0);
      counted = {
        sessions: counted.sessions + 1,
        // The root of the session, its calls, and its responses.
        spans: counted.spans + 1 + calls + requests + (await otherResponses(reader, project, session_id)),
        scores: counted.scores + scores,
      };
    }
    if (rows.length < SESSION_BATCH_SIZE) return counted;
  }
}

/** Number of responses that the proxy did not forward: those from transcripts and the library. */
async function otherResponses(reader: StoreReader, project: string, sessionId: string): Promise<number> {
  const turns = await reader.turns(project, sessionId);
  return turns.filter(({ request_id }) => request_id === null).length;
}

/**
 * Uses the running server, because it is the only writer. It fills its outbox and sends, if it was started with this
 * target.
 */
async function throughServer(target: string, config: Config): Promise<ExportRunner> {
  const folder = dataFolder(config.data);
  const server = readServerInfo(folder);
  if (server === undefined)
    throw new CliError(`Another Toolmend process is writing to ${folder.path}. Wait until it ends, then try again.`);
  const request = async <T>(init: RequestInit): Promise<T> => {
    const headers = {
      "content-type": "application/json",
      ...(config.token !== undefined && { "x-toolmend-token": config.token }),
    };
    const response = await fetch(`${server.url}/api/export`, { ...init, headers }).catch((error: unknown) => {
      throw new CliError(`The server at ${server.url} is not reachable: ${messageOf(error)}.`, { cause: error });
    });
    throwIfUnauthorized(response.status);
    const body = (await response.json().catch(() => ({}))) as T & { readonly error?: { readonly message?: string } };
    if (!response.ok)
      throw new CliError(
        `The server at ${server.url} returned an error: ${body.error?.message ?? `HTTP ${response.status}`}`,
      );
    return body;
  };
  const status: ExportRunner["status"] = async () =>
    (await request<{ targets: Awaited<ReturnType<ExportRunner["status"]>> }>({ method: "GET" })).targets;
  if (!(await status()).some((one) => one.target === target)) {
    throw new CliError(
      `The server at ${server.url} was started without \`--export ${target}\`, and only the server may export while it runs. Restart it with that option, or stop it and run this command again.`,
    );
  }
  return {
    status,
    backfill: (target, { since, until, cursor, force }) =>
      request<Filled>({
        method: "POST",
        body: JSON.stringify({ target, since: iso(since), until: iso(until), cursor, force }),
      }),
    step: () => sleep(500),
  };
}

function iso(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/**
 * Runs `work` as the only writer of the store; returns undefined if another process holds the lock. Applies the journal
 * first: otherwise the next start would restore what `work` changed.
 */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T | undefined> {
  const folder = dataFolder(config.data);
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  if (lock === undefined) return undefined;
  try {
    const store = await openStore({ folder, url: config.store });
    const journal = new Journal({ folder: folder.journal, durable: config.durable });
    const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected, thresholds: thresholdsOf(config) });
    try {
      await recorder.start();
      await recorder.drain();
      return await work(store);
    } finally {
      await recorder.close();
      await store.close();
    }
  } finally {
    lock.release();
  }
}
