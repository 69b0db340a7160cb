import { existsSync } from "node:fs";
import { isValidId } from "../../core/model/call-key.ts";
import { consumeSpool, type SpoolOptions, type SpoolTotals } from "../../hook/spool.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import {
  agentFolders,
  type FoundFile,
  type FoundTranscripts,
  findTranscripts,
} from "../../ingest/import/find-transcripts.ts";
import { ImportCheckpoints } from "../../ingest/import/import-checkpoints.ts";
import { type ImportOptions, type ImportTotals, TranscriptImport } from "../../ingest/import/import-files.ts";
import { ServerWriteError } from "../../ingest/import/server-writer.ts";
import { KnownServers } from "../../mcp/known-servers.ts";
import { commandLine, type StorePlace } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import { pluralize } from "../format.ts";
import { type ImportWriter, openImportWriter } from "../import-writer.ts";
import type { Io } from "../io.ts";
import { ProgressBar } from "../progress-bar.ts";
import { fetchSalt } from "../server-sync.ts";
import { oneLineText } from "../table.ts";

export interface ImportFlags extends Flags {
  readonly project?: string;
  /** Read everything, including what was read before. */
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Imports transcripts into the store. */
export async function importCommand(paths: readonly string[], flags: ImportFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  const project = flags.project ?? "default";
  if (!isValidId(project))
    throw new CliError("--project may contain only letters, digits and . _ : @ / + = -.", { exitCode: 2 });
  // Given paths must exist. Without paths there may be no transcripts and still spooled hook events.
  const found = paths.length > 0 ? await findGiven(paths, io.environment) : await findOwn(io.environment);
  const startedAt = io.now();
  if (config.store !== undefined) await fetchSalt(dataFolder(config.data), config.store);
  const writer = openImportWriter(config, io.now, io.err);
  let imported: Imported;
  try {
    imported = await importFound(found, writer, project, flags, io);
  } catch (error) {
    if (!(error instanceof ServerWriteError)) throw error;
    throw new CliError(`Import interrupted: ${error.message}. Run the command again to resume.`, { cause: error });
  } finally {
    await writer.close();
  }
  const { totals, events } = imported;
  const result = asJson(found?.problems ?? [], totals, events, writer.server, io.now() - startedAt);
  io.out(flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : asText(result, flags));
  return result.files_unreadable > 0 || (paths.length > 0 && isEmpty(result)) ? 1 : 0;
}

/** Whether none of the files is a transcript. */
function isEmpty({ files_read, files_unchanged, hook_events }: ImportResult): boolean {
  return files_read + files_unchanged + hook_events === 0;
}

interface Imported {
  readonly totals: ImportTotals;
  readonly events: SpoolTotals;
}

async function importFound(
  found: FoundTranscripts | undefined,
  writer: ImportWriter,
  project: string,
  flags: ImportFlags,
  io: Io,
): Promise<Imported> {
  const { folder, server, observer, send } = writer;
  // A running server consumes the spool itself; without one, this command does.
  const events =
    server === undefined ? await consumeSpool({ ...spoolOf(writer), now: io.now }) : { read: 0, broken: 0 };
  if (found === undefined && events.read + events.broken === 0) throw nothingFound(io.environment);
  const checkpoints = new ImportCheckpoints(folder.imports, folder.database, flags.force === true);
  const options = { observer, send, checkpoints, project, now: io.now };
  return { totals: await importWithBar(found?.files ?? [], options, io, flags.json !== true), events };
}

function spoolOf({ folder, observer, send }: ImportWriter): Omit<SpoolOptions, "now"> {
  const record: SpoolOptions["record"] = async (observations) => {
    if (observations.length > 0) await send(observations);
    return observations.length;
  };
  return { folder: folder.spool, observer, record, mcpServers: new KnownServers(folder.mcpServers) };
}

/** Finds transcripts under the given paths, or in the default folders of the agents. */
export async function findGiven(paths: readonly string[], environment: NodeJS.ProcessEnv): Promise<FoundTranscripts> {
  if (paths.length === 0) {
    const found = await findOwn(environment);
    if (found === undefined) throw nothingFound(environment);
    return found;
  }
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new CliError(`File or folder not found: ${missing}.`);
  return await findTranscripts(paths);
}

/** Finds transcripts in the agents' default folders; undefined if none of these folders exists. */
async function findOwn(environment: NodeJS.ProcessEnv): Promise<FoundTranscripts | undefined> {
  const folders = agentFolders(environment).filter((folder) => existsSync(folder));
  return folders.length === 0 ? undefined : await findTranscripts(folders);
}

function nothingFound(environment: NodeJS.ProcessEnv): CliError {
  const known = agentFolders(environment).join(", ");
  return new CliError(`No transcripts found in the default folders (${known}). Give a file or a folder.`);
}

/** Imports files and shows progress on a terminal. */
export async function importWithBar(
  files: readonly FoundFile[],
  options: ImportOptions,
  io: Io,
  visible = true,
): Promise<ImportTotals> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const bar = new ProgressBar(visible && io.errIsTerminal === true ? io.err : undefined, io.width, io.now);
  const onProgress = ({ bytes, files: done, calls }: ImportTotals): void =>
    bar.show({ done: bytes, total, label: `${done}/${files.length} files, ${calls} calls` });
  try {
    return await new TranscriptImport({ ...options, onProgress }).importAll(files);
  } finally {
    bar.clear();
  }
}

/** Output of `--json`. Programs rely on these fields. */
interface ImportResult {
  readonly files: number;
  readonly files_read: number;
  readonly files_unchanged: number;
  readonly files_other: number;
  readonly files_unreadable: number;
  readonly bytes: number;
  readonly lines: number;
  readonly calls: number;
  readonly results: number;
  readonly failed: number;
  readonly prompts: number;
  readonly broken_lines: number;
  readonly unfinished_lines: number;
  /** Events that hooks spooled while no server was running. */
  readonly hook_events: number;
  readonly hook_events_unreadable: number;
  readonly problems: readonly { readonly path: string; readonly line?: number; readonly reason: string }[];
  /** URL of the server that stored the import; null if it was written directly. */
  readonly server: string | null;
  readonly duration_ms: number;
}

function asJson(
  problems: FoundTranscripts["problems"],
  totals: ImportTotals,
  events: SpoolTotals,
  server: string | undefined,
  durationMs: number,
): ImportResult {
  const unreadable = problems.map(({ path, message }) => ({ path, reason: message }));
  return {
    files: totals.files,
    files_read: totals.read,
    files_unchanged: totals.unchanged,
    files_other: totals.other,
    files_unreadable: totals.unreadable + unreadable.length,
    bytes: totals.bytes,
    lines: totals.lines,
    calls: totals.calls,
    results: totals.results,
    failed: totals.failed,
    prompts: totals.prompts,
    broken_lines: totals.broken,
    unfinished_lines: totals.unfinished,
    hook_events: events.read,
    hook_events_unreadable: events.broken,
    problems: [...unreadable.slice(0, 10), ...totals.problems],
    server: server ?? null,
    duration_ms: durationMs,
  };
}

function asText(result: ImportResult, flags: StorePlace): string {
  const some = (count: number, text: string): readonly string[] => (count === 0 ? [] : [`${count} ${text}`]);
  const files = [
    `${result.files_read} read`,
    ...some(result.files_unchanged, "unchanged since the last import"),
    ...some(result.files_other, result.files_other === 1 ? "not a transcript" : "not transcripts"),
    ...some(result.files_unreadable, "unreadable"),
  ];
  const lines = [
    `${pluralize(result.files, "file")}: ${files.join(", ")}.`,
    `${pluralize(result.calls, "call")} and ${pluralize(result.results, "result")} (${result.failed} failed) in ${pluralize(result.lines, "line")}.`,
  ];
  if (result.hook_events > 0) lines.push(`${pluralize(result.hook_events, "spooled hook event")} imported.`);
  if (result.hook_events_unreadable > 0)
    lines.push(
      `Moved ${pluralize(result.hook_events_unreadable, "hook event")} that could not be parsed to spool/broken.`,
    );
  if (result.server !== null && !isEmpty(result)) lines.push(`Sent to the server at ${result.server}.`);
  if (isEmpty(result)) lines.push("No transcript was found, so nothing was imported.");
  if (result.broken_lines > 0) lines.push(`${pluralize(result.broken_lines, "line")} could not be parsed:`);
  else if (result.problems.length > 0) lines.push("Problems:");
  lines.push(...problemLines(result.problems));
  if (result.calls + result.results + result.hook_events > 0)
    lines.push(`Run \`${commandLine("report", flags)}\` to see what fails.`);
  return lines.map((line) => `${line}\n`).join("");
}

export function problemLines(problems: ImportResult["problems"]): readonly string[] {
  return problems.map(
    ({ path, line, reason }) =>
      `  ${oneLineText(line === undefined ? path : `${path}:${line}`)}: ${oneLineText(reason)}`,
  );
}
