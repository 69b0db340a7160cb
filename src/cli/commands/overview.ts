import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { connectLines, oneLine } from "../../api/connect-lines.ts";
import type { Advice } from "../../core/detect/index.ts";
import { agentFolders, clientFolders, findTranscripts } from "../../ingest/import/find-transcripts.ts";
import type { ImportTotals } from "../../ingest/import/import-files.ts";
import type { SessionRow, StoreReader } from "../../store/port.ts";
import { commandLine } from "../command-line.ts";
import { type Config, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { readerFromFiles } from "../reader-from-paths.ts";
import { serverUrl, tokenText, withToken } from "../server-url.ts";
import { overviewText } from "./overview-text.ts";
import { readFingerprints } from "./report.ts";

export interface OverviewFlags {
  readonly json?: boolean;
  readonly maxSeconds?: string;
}

/** Output of `--json`. Programs rely on these fields. */
export interface Overview {
  /** Folders in which transcripts were looked for. */
  readonly folders: readonly string[];
  readonly files_found: number;
  /** Files that were opened, newest first: transcripts, other files and unreadable ones. */
  readonly files_read: number;
  /** Files of `files_read` that were cut off because the time was up. */
  readonly files_partial: number;
  /** Files and folders that could not be read. */
  readonly files_unreadable: number;
  readonly calls: number;
  readonly failed: number;
  readonly unknown: number;
  readonly failure_rate: number | null;
  readonly sessions: number;
  /** Sessions that are unhealthy or had a loop, each once. */
  readonly sessions_in_trouble: number;
  readonly sessions_unhealthy: number;
  readonly sessions_looping: number;
  /** The most frequent failures. */
  readonly problems: readonly OverviewProblem[];
  /** Command lines that work as printed. */
  readonly next: OverviewSteps;
}

interface OverviewProblem {
  readonly fingerprint: string;
  readonly category: string;
  readonly count: number;
  /** The tool with most of these failures. */
  readonly tool: string;
  /** Summary of the newest such failure. */
  readonly message: string;
  readonly sample: string;
  readonly advice: Advice | null;
}

interface OverviewSteps {
  readonly start: string;
  readonly import: string;
  readonly demo: string;
  /** Reads the transcripts that did not fit into the time limit. */
  readonly more: string;
  /** Starts the client of the newest transcript with its base URL pointed at the server. */
  readonly connect: string;
}

const DEFAULT_SECONDS = "2.5";
const MAX_PROBLEMS = 3;
/** Small, because pending batches delay the output at the time limit. */
const BATCH_SIZE = 500;
/** The largest page of the session list. */
const MAX_SESSIONS = 1000;

/** Shows what fails in the transcripts of this machine's agents. Reads for a limited time and stores nothing. */
export async function overviewCommand(flags: OverviewFlags, io: Io): Promise<number> {
  const endsAt = (io.startedAt ?? performance.now()) + 1000 * secondsOf(flags.maxSeconds);
  const config = await readConfig({}, io.environment);
  const folders = agentFolders(io.environment);
  const found = await findTranscripts(folders.filter((folder) => existsSync(folder)));
  const files = found.files.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  const next = nextSteps(config, files[0]?.path, io.environment);
  const looked = { folders, files_found: files.length };
  let overview: Overview = { ...looked, ...NO_FILES, files_unreadable: found.problems.length, ...NO_CALLS, next };
  if (files.length > 0) {
    const isOver = (): boolean => performance.now() >= endsAt;
    const visible = flags.json !== true;
    const { reader, totals } = await readerFromFiles(files, config, io, {
      ...{ project: "default", visible, isOver },
      batchSize: BATCH_SIZE,
    });
    try {
      const read = filesOf(totals, found.problems.length);
      overview = { ...looked, ...read, ...(await factsOf(reader)), next };
    } finally {
      await reader.close();
    }
  }
  io.out(flags.json === true ? asJson(overview) : overviewText(overview, io));
  return 0;
}

function secondsOf(text = DEFAULT_SECONDS): number {
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text)) return Number(text);
  throw new CliError("--max-seconds must be a number such as 2.5 or 60.", { exitCode: 2 });
}

function nextSteps(config: Config, newest: string | undefined, environment: NodeJS.ProcessEnv): OverviewSteps {
  const owner = clientFolders(environment).find(({ path }) => newest?.startsWith(resolve(path) + sep) === true);
  const client = owner?.client ?? "claude-code";
  const lines = connectLines(withToken(serverUrl(config), tokenText(config, environment)));
  return {
    start: commandLine("start"),
    import: commandLine("import"),
    demo: commandLine("demo"),
    more: commandLine("--max-seconds 60"),
    connect: lines
      .filter((line) => line.client === client)
      .map(oneLine)
      .join(""),
  };
}

const NO_FILES = { files_read: 0, files_partial: 0 };

function filesOf(
  { files, partial, unreadable }: ImportTotals,
  problems: number,
): Pick<Overview, "files_read" | "files_partial" | "files_unreadable"> {
  return { files_read: files, files_partial: partial, files_unreadable: unreadable + problems };
}

type Facts = Omit<Overview, "folders" | "next" | `files_${string}`>;

const NO_CALLS: Facts = {
  ...{ calls: 0, failed: 0, unknown: 0, failure_rate: null },
  ...{ sessions: 0, sessions_in_trouble: 0, sessions_unhealthy: 0, sessions_looping: 0 },
  problems: [],
};

async function factsOf(reader: StoreReader): Promise<Facts> {
  const [{ calls, failed, unknown, failure_rate, sessions }, unhealthy, looping, rows] = await Promise.all([
    reader.summary({}),
    reader.sessions({ health: "unhealthy", limit: MAX_SESSIONS }),
    reader.sessions({ looping: true, limit: MAX_SESSIONS }),
    readFingerprints(reader, {}, MAX_PROBLEMS),
  ]);
  const problems = await Promise.all(
    rows.map(async ({ fingerprint, category, count, tool, sample, advice }): Promise<OverviewProblem> => {
      const [newest] = (await reader.calls({ fingerprint, limit: 1 })).calls;
      const message = newest?.status_message ?? `[${category.toUpperCase()}] ${tool}`;
      return { fingerprint, category, count, tool, message, sample, advice };
    }),
  );
  return {
    ...{ calls, failed, unknown, failure_rate, sessions },
    sessions_in_trouble: new Set([...unhealthy, ...looping].map(idOf)).size,
    sessions_unhealthy: unhealthy.length,
    sessions_looping: looping.length,
    problems,
  };
}

function idOf({ session_id }: SessionRow): string {
  return session_id;
}

/** Escapes characters that JSON allows in strings but a terminal interprets. */
function asJson(overview: Overview): string {
  const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(overview, null, 2);
  return `${text.replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escapeOf)}\n`;
}
