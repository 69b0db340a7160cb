import { setTimeout as sleep } from "node:timers/promises";
import type { ExportControl } from "../../api/export-routes.ts";
import type { ExportTargetName } from "../../export/export-settings.ts";
import { Exporter } from "../../export/exporter.ts";
import { dataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import type { BackfillQuery, Filled, Range, StoreReader } from "../../store/port.ts";
import { type Config, type Flags, readConfig } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import { readExportConfig } from "../export-config.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { withStore } from "../open-store.ts";
import { ProgressBar } from "../progress-bar.ts";
import { type RangeFlags, rangeOf } from "../range.ts";

export interface ExportFlags extends Flags, RangeFlags {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Whoever carries it: this process, or the server that runs. */
interface Carrier extends Pick<ExportControl, "status" | "backfill"> {
  /** Sends some of what waits, or waits for it to be sent. */
  step(): Promise<void>;
}

const SESSION_BATCH_SIZE = 200;

/** Sends what was recorded to another system. */
export async function exportCommand(target: ExportTargetName, flags: ExportFlags, io: Io): Promise<number> {
  const config = readConfig(flags, io.environment);
  const range = rangeOf(flags, io.now());
  // Keys that are missing are told before anything else.
  const exporting = readExportConfig(config, io.environment, [target]);
  if (flags.dryRun === true) return await dryRun(target, range, flags, config, io);
  const own = withStore(config, async (store) => {
    const exporter = new Exporter({ ...exporting, store, now: io.now, onProblem: (text) => io.err(`${text}\n`) });
    const carrier: Carrier = {
      status: () => exporter.status(),
      backfill: (name, query) => exporter.backfill(name, query),
      step: async () => {
        await exporter.flush();
        await sleep(50);
      },
    };
    try {
      return await carry(target, range, flags, carrier, io);
    } finally {
      await exporter.close();
    }
  });
  const done = (await own) ?? (await carry(target, range, flags, await throughServer(target, config), io));
  const text = `Sent ${done.items} calls and sessions of ${done.sessions} sessions to ${target}.\n`;
  io.out(flags.json === true ? `${JSON.stringify({ target, ...done })}\n` : text);
  return 0;
}

interface Done {
  readonly sessions: number;
  readonly items: number;
}

async function carry(target: string, range: Range, flags: ExportFlags, carrier: Carrier, io: Io): Promise<Done> {
  const bar = new ProgressBar(flags.json === true || !io.isTerminal ? undefined : io.err, io.width, io.now);
  const done = { sessions: 0, items: 0 };
  for (let after: string | null | undefined; after !== null; ) {
    const filled: Filled = await carrier.backfill(target, queryOf(range, flags, after));
    done.sessions += filled.sessions;
    done.items += filled.items;
    after = filled.next_cursor;
  }
  const filledAt = io.now();
  /** What waits of ours: what live traffic has put in since then is not for us to wait for. */
  const waiting = async (): Promise<number> => {
    const own = (await carrier.status()).find((one) => one.target === target);
    if (own?.problem && !own.throttled) throw new CliError(whyNot(target, own.problem, own.queued));
    return own?.oldest_queued_at == null || own.oldest_queued_at > filledAt ? 0 : own.queued;
  };
  for (let left = await waiting(); left > 0; left = await waiting()) {
    bar.show({ done: Math.max(0, done.items - left), total: done.items, counted: "sent", label: "" });
    await carrier.step();
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

function whyNot(target: string, problem: string, waiting: number): string {
  return `${target} does not take anything: ${problem}. ${waiting} calls and sessions wait in the outbox; the same command, or \`toolmend start --export ${target}\`, goes on with them.`;
}

async function dryRun(
  target: ExportTargetName,
  range: Range,
  flags: ExportFlags,
  config: Config,
  io: Io,
): Promise<number> {
  const reader = await openReader(config, io);
  try {
    const { sessions, spans, scores } = await countSessions(reader, range);
    if (flags.json === true) io.out(`${JSON.stringify({ target, dry_run: true, sessions, spans, scores })}\n`);
    else io.out(`Would send to ${target}: ${spans} spans and ${scores} scores of ${sessions} sessions.\n`);
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

/** The same sessions, whole, that a back-fill takes: those whose last sign of life is in the range. */
async function countSessions(reader: StoreReader, range: Range): Promise<Counted> {
  let counted: Counted = { sessions: 0, spans: 0, scores: 0 };
  for (let offset = 0; ; offset += SESSION_BATCH_SIZE) {
    const rows = await reader.sessions({ ...range, limit: SESSION_BATCH_SIZE, offset });
    for (const { calls, ok, failed, success_rate } of rows) {
      // One for every verdict, three more for every failure; two of a session, one more with a rate and one with a failure.
      const scores = ok + 4 * failed + 2 + Number(success_rate !== null) + Number(failed > 0);
      counted = {
        sessions: counted.sessions + 1,
        spans: counted.spans + calls,
        scores: counted.scores + scores,
      };
    }
    if (rows.length < SESSION_BATCH_SIZE) return counted;
  }
}

/** The server that runs is the one that writes: it fills its outbox and sends, if it was told to. */
async function throughServer(target: string, config: Config): Promise<Carrier> {
  const folder = dataFolder(config.data);
  const server = readServerInfo(folder);
  if (server === undefined)
    throw new CliError(`Another Toolmend is writing to ${folder.path}. Wait for it to end, then try again.`);
  const ask = async <T>(init: RequestInit): Promise<T> => {
    const headers = {
      "content-type": "application/json",
      ...(config.token !== undefined && { "x-toolmend-token": config.token }),
    };
    const response = await fetch(`${server.url}/api/export`, { ...init, headers }).catch((error: Error) => {
      throw new CliError(`The server at ${server.url} does not answer: ${error.message}.`);
    });
    throwIfUnauthorized(response.status);
    const body = (await response.json().catch(() => ({}))) as T & { readonly error?: { readonly message?: string } };
    if (!response.ok)
      throw new CliError(`The server at ${server.url} says: ${body.error?.message ?? `HTTP ${response.status}`}`);
    return body;
  };
  const status: Carrier["status"] = async () =>
    (await ask<{ targets: Awaited<ReturnType<Carrier["status"]>> }>({ method: "GET" })).targets;
  if (!(await status()).some((one) => one.target === target)) {
    throw new CliError(
      `The server at ${server.url} was started without \`--export ${target}\`, and nobody else may send while it runs. Start it anew with that, or stop it and run this again.`,
    );
  }
  return {
    status,
    backfill: (target, { since, until, cursor, force }) =>
      ask<Filled>({
        method: "POST",
        body: JSON.stringify({ target, since: iso(since), until: iso(until), cursor, force }),
      }),
    step: () => sleep(500),
  };
}

function iso(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
