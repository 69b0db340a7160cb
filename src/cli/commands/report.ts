import { type TitledError, withTitle } from "../../api/error-title.ts";
import { hasOnlyFailures, type RankedRow, rankRows } from "../../api/ranked-row.ts";
import { type Advice, adviceFor } from "../../core/detect/index.ts";
import { messageOf } from "../../core/model/errors.ts";
import type { Tally } from "../../core/model/session-record.ts";
import { faultText } from "../../core/repair/calls/fault-text.ts";
import { reasonText } from "../../core/repair/index.ts";
import { rateDifference } from "../../core/score/rate-difference.ts";
import {
  BREAKDOWNS,
  type Breakdown,
  type BreakdownQuery,
  type CallFaultRow,
  type FingerprintRow,
  type LeakRow,
  type OriginRow,
  type Range,
  type RollupQuery,
  type SecondChanceRow,
  type StoreReader,
  type Summary,
  UnsupportedQueryError,
} from "../../store/port.ts";
import { commandLine, quoteForShell } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import { ago, createColors, NO_CALLS_MESSAGE, percent, pluralize, points, renderCsv } from "../format.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { type RangeFlags, rangeOf, rangeText, wholeHours } from "../range.ts";
import { readerFromPaths } from "../reader-from-paths.ts";
import { type Column, oneLineText, renderTable } from "../table.ts";
import { adviceText } from "./advice-text.ts";
import { countRepairable, repairableText } from "./repairable-failures.ts";
import { BY_LOOP, reportLoops } from "./report-loops.ts";
import { readTokens, usageText } from "./report-usage.ts";

/** Maximum number of recent leaks that the summary line counts. */
const MAX_LEAKS = 10_000;

export interface ReportFlags extends Flags, RangeFlags {
  readonly by?: string;
  readonly tool?: string;
  readonly model?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Failure rates by tool, model, provider, category, phase, workflow, day or session. */
export async function reportCommand(flags: ReportFlags, io: Io, paths: readonly string[] = []): Promise<number> {
  const by = BREAKDOWNS.find((one) => one === (flags.by ?? "tool"));
  if (by === undefined && flags.by !== BY_FINGERPRINT && flags.by !== BY_LOOP)
    throw new CliError(`--by must be one of ${BREAKDOWNS.join(", ")}.`, { exitCode: 2 });
  const given = rangeOf(flags, io.now());
  // Everything in a report covers the same time: leaks and calls without a result, too.
  const range = flags.by === BY_LOOP ? given : wholeHours(given);
  const config = await readConfig(flags, io.environment);
  const { data } = config;
  const quiet = flags.json === true || flags.csv === true;
  const reader =
    paths.length > 0
      ? await readerFromPaths(paths, config, range, io, quiet)
      : await openReader(config, io, { allowEmpty: quiet });
  const filter = filterOf(flags);
  try {
    if (by === undefined || filter !== undefined) {
      io.out(await reportPart(by, reader, { ...range, ...filter }, flags, paths, io).catch(unreadable(data)));
      return 0;
    }
    // A store of an older version has no origins until its server is restarted.
    const origin = reader.originOutcomes(range).catch((): readonly OriginRow[] => []);
    const breakdown = reader.breakdown(by, withPrevious(by, range, io.now()));
    const left = reader.leaks({ ...range, limit: MAX_LEAKS }).catch((): readonly LeakRow[] => []);
    const tokens = readTokens(reader, by, range);
    const faulty = reader.callFaults(range).catch((): readonly CallFaultRow[] => []);
    const repairable = countRepairable(reader, range);
    const again = reader.secondChances(range).catch((): readonly SecondChanceRow[] => []);
    const queries = [reader.summary(range), breakdown, origin, left, tokens, faulty, repairable, again] as const;
    const [totals, found, origins, leaks, usage, faults, wouldHaveWorked, secondChances] = await Promise.all(
      queries,
    ).catch(unreadable(data));
    const repair =
      repairedText(origins) +
      unrepairedText(leaks) +
      faultsText(faults) +
      repairableText(wouldHaveWorked) +
      secondChancesText(secondChances) +
      usageText(by, usage, io);
    const rows = rankRows(by, found);
    if (flags.json === true)
      io.out(
        `${JSON.stringify({ ...asJson(by, range, totals, rows), origins, leaks_left: countReasons(leaks), call_faults: faults, would_have_worked: wouldHaveWorked, second_chances: secondChances, usage }, null, 2)}\n`,
      );
    else if (flags.csv === true) io.out(renderCsv(FIELDS, rows.map(flat)));
    else if (rows.length === 0 && totals.calls === 0)
      io.out((openText(totals) ?? nothingText(range, paths, flags)) + repair);
    else io.out(asText(by, range, totals, rows, io) + repair);
  } finally {
    await reader.close();
  }
  return 0;
}

function filterOf({ tool, model }: ReportFlags): { readonly tool?: string; readonly model?: string } | undefined {
  if (tool === undefined && model === undefined) return undefined;
  return { ...(tool !== undefined && { tool }), ...(model !== undefined && { model }) };
}

/** Reports failures, loops, or the calls that a filter selects. */
async function reportPart(
  by: Breakdown | undefined,
  reader: StoreReader,
  query: RollupQuery,
  flags: ReportFlags,
  paths: readonly string[],
  io: Io,
): Promise<string> {
  if (by !== undefined) return await reportFiltered(by, reader, query, flags, paths, io);
  if (flags.by !== BY_LOOP) return await reportFingerprints(reader, query, flags, io);
  if (filterOf(flags) !== undefined)
    throw new CliError("--by loop cannot be combined with --tool or --model.", { exitCode: 2 });
  return await reportLoops(reader, query, flags, io);
}

/** Breakdowns omit data without a tool or model: leaks, tokens, sessions. */
async function reportFiltered(
  by: Breakdown,
  reader: StoreReader,
  query: RollupQuery,
  flags: ReportFlags,
  paths: readonly string[],
  io: Io,
): Promise<string> {
  const rows = rankRows(by, await reader.breakdown(by, withPrevious(by, query, io.now())));
  // Every call has a day, so these rows add up to the total.
  const totals = addUp(await reader.breakdown("day", query));
  if (flags.json === true) return `${JSON.stringify(asJson(by, query, totals, rows), null, 2)}\n`;
  if (flags.csv === true) return renderCsv(FIELDS, rows.map(flat));
  if (totals.calls > 0) return asText(by, query, totals, rows, io);
  const of = [query.tool, query.model].flatMap((one) => (one === undefined ? [] : [oneLineText(one)])).join(" with ");
  const again = `${reportOf(paths)} --by ${query.tool === undefined ? "model" : "tool"}`;
  return `No calls of ${of}. \`${commandLine(again, flags)}\` lists the names.\n`;
}

const TALLY_FIELDS = [
  ...(["calls", "ok", "failed", "unknown", "soft"] as const),
  ...(["recovered", "follow_on", "retries", "unrecovered", "excused"] as const),
] as const;

function addUp(rows: readonly Tally[]): Totals {
  const sum = (field: keyof Tally): number => rows.reduce((all, row) => all + row[field], 0);
  const tally = Object.fromEntries(TALLY_FIELDS.map((field) => [field, sum(field)])) as unknown as Tally;
  const known = tally.ok + tally.failed;
  return { ...tally, failure_rate: known === 0 ? null : tally.failed / known };
}

/** Parts of the calls have no number of sessions. */
type Totals = Tally & Pick<Summary, "failure_rate"> & Partial<Pick<Summary, "sessions" | "pending">>;

function unreadable(data: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CliError) throw error;
    if (error instanceof UnsupportedQueryError) throw new CliError(error.message, { exitCode: 2, cause: error });
    throw new CliError(`Cannot read the records in ${data}: ${messageOf(error)}.`, { cause: error });
  };
}

/** Adds the preceding window for comparison if the range has a start. Days already show their change. */
function withPrevious(by: Breakdown, range: RollupQuery, now: number): BreakdownQuery {
  if (range.since === undefined || by === "day") return range;
  return { ...range, until: range.until ?? now, previous: true };
}

function asJson(by: Breakdown, range: Range, totals: Totals, rows: readonly RankedRow[]): object {
  const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  return { by, since: iso(range.since), until: iso(range.until), totals, rows };
}

/** Columns of the CSV. New ones are appended; none is removed. */
const FIELDS = [
  ...(["key", "calls", "ok", "failed", "unknown", "soft", "failure_rate", "top_category"] as const),
  ...([
    "rate_low",
    "rate_high",
    "excess",
    "change",
    "call",
    "gate",
    "run",
    "recovered",
    "follow_on",
    "retries",
  ] as const),
] as const;

function flat({ interval, phases, ...row }: RankedRow): Omit<RankedRow, "interval" | "phases"> & Flat {
  return { ...row, ...phases, rate_low: interval?.[0] ?? null, rate_high: interval?.[1] ?? null };
}
interface Flat {
  readonly rate_low: number | null;
  readonly rate_high: number | null;
  readonly call: number;
  readonly gate: number;
  readonly run: number;
}

function asText(by: Breakdown, range: Range, totals: Totals, rows: readonly RankedRow[], io: Io): string {
  if (rows.length === 0) return `No failures to show by ${by}.\n`;
  const columns = hasOnlyFailures(by) ? failureColumns(by, totals) : rateColumns(by, range, totals);
  const paint = createColors(io);
  const table = renderTable(columns, rows, io.width, paint);
  return `${table}${paint("faint", legendText(table))}\n${summaryLine(totals, range)}`;
}

/** What the titles of columns mean, where it is not obvious. */
const LEGEND: readonly (readonly [title: string, meaning: string])[] = [
  ["95 %", "the rate is in this range with 95 % certainty"],
  ["CHANGE", "percentage points since the period before; ≈ may be chance"],
  ["EXCESS", "failures above the number that the overall rate predicts"],
  ["CALL/GATE/RUN", "failures of calls that were invalid, were refused, or ran and failed"],
  ["FOLLOW-ONS", "failures that an earlier failure explains"],
  ["RECOVERED", "share of failures with a later successful retry"],
];

/** Explains the columns that fit the width. */
function legendText(table: string): string {
  const [head = ""] = table.split("\n", 1);
  const shown = LEGEND.filter(([title]) => head.includes(title));
  const width = Math.max(0, ...shown.map(([title]) => title.length));
  return shown.length === 0 ? "" : `\n${shown.map(([title, text]) => `${title.padEnd(width)}  ${text}\n`).join("")}`;
}

/** States that calls exist, but none has a result; undefined without any call. */
function openText({ pending, discarded }: Summary): string | undefined {
  if (pending + discarded === 0) return undefined;
  const waiting = pending === 0 ? "" : ` ${pluralize(pending, "call")} waiting for one.`;
  return `No call has a result yet.${waiting}\n`;
}

/** The command with the same paths. */
function reportOf(paths: readonly string[]): string {
  return ["report", ...paths.map(quoteForShell)].join(" ");
}

function nothingText({ project, since, until }: Range, paths: readonly string[], flags: ReportFlags): string {
  const of = project === undefined ? "" : ` in project ${oneLineText(project)}`;
  if (since !== undefined || until !== undefined)
    return `No tool calls${of} in this range. \`${commandLine(reportOf(paths), flags)}\` without --since and --until shows all calls.\n`;
  if (paths.length > 0)
    return `No tool calls found in these paths. \`${commandLine("import --help")}\` lists the supported files.\n`;
  if (of !== "") return `No tool calls${of}.\n`;
  return NO_CALLS_MESSAGE;
}

function rateColumns(by: Breakdown, range: Range, totals: Totals): readonly Column<RankedRow>[] {
  // Marks rates above the overall rate whose confidence interval excludes it.
  const rateStyle = ({ interval }: RankedRow): "bad" | undefined =>
    interval !== null && totals.failure_rate !== null && interval[0] > totals.failure_rate ? "bad" : undefined;
  const change: Column<RankedRow> = {
    title: "CHANGE",
    align: "right",
    text: (row) => changeText(row),
    style: (row) => (isCertainChange(row) ? ((row.change ?? 0) > 0 ? "bad" : "good") : "faint"),
    drop: 1,
  };
  return [
    { title: by.toUpperCase(), text: ({ key }) => key },
    { title: "CALLS", align: "right", text: ({ calls }) => String(calls) },
    { title: "FAILED", align: "right", text: ({ failed }) => String(failed) },
    { title: "FAIL %", align: "right", text: ({ failure_rate }) => percent(failure_rate), style: rateStyle },
    { title: "95 %", align: "right", text: ({ interval }) => intervalText(interval), style: () => "faint", drop: 3 },
    ...(range.since === undefined || by === "day" ? [] : [change]),
    { title: "EXCESS", align: "right", text: ({ excess }) => excess.toFixed(1), drop: 2 },
    PHASES,
    { title: "MOSTLY", text: ({ top_category }) => top_category ?? "" },
    { title: "RECOVERED", align: "right", text: recoveredText, drop: 4 },
    { title: "UNKNOWN", align: "right", text: ({ unknown }) => String(unknown), drop: 6 },
  ];
}

/** `≈` for a change that chance may explain. */
function changeText(row: RankedRow): string {
  return row.change === null || isCertainChange(row) ? points(row.change) : "≈";
}

/** Few calls in either window make the interval wide, so that it includes 0. */
function isCertainChange({ ok, failed, previous }: RankedRow): boolean {
  return previous !== null && rateDifference({ ok, failed }, previous)?.isCertain === true;
}

/** Summarizes the outcomes of repaired calls; empty without any. */
function repairedText(origins: readonly OriginRow[]): string {
  const [native, repaired] = [origins.find(isNative), origins.find((row) => !isNative(row))];
  if (repaired === undefined || repaired.calls + repaired.pending + repaired.discarded === 0) return "";
  const { calls, pending, failed, failure_rate, refused, discarded } = repaired;
  const rates = `${percent(failure_rate)} %; native calls: ${percent(native?.failure_rate ?? null)} %`;
  const parts = [
    pluralize(calls + pending + discarded, "leaked call"),
    ...(pending > 0 ? [`${pending} waiting for a result`] : []),
    ...(calls > 0 ? [`${failed} failed (${rates})`, `${refused} rejected by the client`] : []),
    ...(discarded > 0 ? [`${discarded} discarded by the client, for example by a retry`] : []),
  ];
  return `Repaired (calls that models wrote as text): ${parts.join(", ")}.\n`;
}

/** Counts unrepaired leaks by reason, most frequent first. */
function countReasons(leaks: readonly LeakRow[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { result, reason, parsed } of leaks)
    if (result === "left" && reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + Math.max(1, parsed));
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** Summarizes why leaks were left as text; empty without any. */
function unrepairedText(leaks: readonly LeakRow[]): string {
  const reasons = Object.entries(countReasons(leaks));
  if (reasons.length === 0) return "";
  const sum = reasons.reduce((all, [, calls]) => all + calls, 0);
  const listed = reasons.map(([reason, calls]) => `${calls} ${reasonText(reason)}`).join("; ");
  return `Left as text (calls that were not repaired, by reason): ${pluralize(sum, "leaked call")}: ${listed}\n`;
}

/** Summarizes native calls that do not fit; empty without any. */
function faultsText(rows: readonly CallFaultRow[]): string {
  const lines = rows.slice(0, MAX_FAULT_LINES).map(({ provider, model, class: fault, repaired, left, calls }) => {
    const what = fault === "none" ? "sends calls that cannot be repaired" : faultText(fault);
    const where = oneLineText(`${model ?? "unknown model"} at ${provider ?? "unknown provider"}`);
    return `  ${where} ${what}: ${repaired + left} of ${pluralize(calls, "call")}, ${repaired} repaired, ${left} left\n`;
  });
  return lines.length === 0
    ? ""
    : `Native calls (made through the API) that do not fit their schemas:\n${lines.join("")}`;
}

const MAX_FAULT_LINES = 10;

/** Summarizes turns that were asked for again; empty without any. */
function secondChancesText(rows: readonly SecondChanceRow[]): string {
  const lines = rows.slice(0, MAX_FAULT_LINES).map((row) => {
    const where = oneLineText(`${row.model ?? "unknown model"} at ${row.provider ?? "unknown provider"}`);
    const healed = `${row.healed + row.answered} of ${pluralize(row.attempts, "turn")} healed`;
    const tokens =
      row.input_tokens === null && row.output_tokens === null
        ? "tokens unknown"
        : `${row.input_tokens ?? 0} tokens in, ${row.output_tokens ?? 0} out`;
    return `  ${where}, ${row.reason.replaceAll("_", " ")}: ${healed}, ${row.added_ms} ms each, ${tokens}\n`;
  });
  return lines.length === 0
    ? ""
    : `Second chances (turns whose calls could not work, requested once more):\n${lines.join("")}`;
}

function isNative({ origin }: OriginRow): boolean {
  return origin === "native";
}

function failureColumns(by: Breakdown, totals: Totals): readonly Column<RankedRow>[] {
  const share = ({ failed }: RankedRow): number | null => (totals.failed === 0 ? null : failed / totals.failed);
  return [
    { title: by.toUpperCase(), text: ({ key }) => key },
    { title: "FAILED", align: "right", text: ({ failed }) => String(failed) },
    { title: "SHARE %", align: "right", text: (row) => percent(share(row)) },
    { title: "CALL/GATE/RUN", align: "right", text: phasesText, drop: 2 },
    { title: "FOLLOW-ONS", align: "right", text: ({ follow_on }) => String(follow_on), drop: 1 },
    { title: "RECOVERED", align: "right", text: recoveredText },
  ];
}

function intervalText(interval: RankedRow["interval"]): string {
  return interval === null ? "" : interval.map((end) => (100 * end).toFixed(0)).join("–");
}

const PHASES: Column<RankedRow> = { title: "CALL/GATE/RUN", align: "right", text: phasesText, drop: 5 };

function phasesText({ phases: { call, gate, run }, failed }: RankedRow): string {
  return failed === 0 ? "" : `${call}/${gate}/${run}`;
}

function recoveredText({ recovered_rate }: RankedRow): string {
  return recovered_rate === null ? "" : `${(100 * recovered_rate).toFixed(0)} %`;
}

function summaryLine(totals: Totals, range: Range): string {
  const { calls, failed, unknown, sessions, pending = 0, follow_on, recovered } = totals;
  const parts = [
    `${failed} failed (${percent(totals.failure_rate)} % of calls with a known outcome)`,
    ...(follow_on > 0 ? [`${follow_on} of them follow-ons`] : []),
    ...(recovered > 0 ? [`${recovered} recovered`] : []),
    `${unknown} unknown`,
    ...(pending > 0 ? [`${pending} without a result`] : []),
  ];
  const where = sessions === undefined ? "" : ` in ${pluralize(sessions, "session")}`;
  return `${pluralize(calls, "call")}${where}${rangeText(range)}: ${parts.join(", ")}\n`;
}

/** Value of `--by` for this report, in addition to the store's breakdowns. */
export const BY_FINGERPRINT = "fingerprint";

interface Form {
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Lists each distinct failure across sessions, most frequent first. */
export async function reportFingerprints(reader: StoreReader, range: RollupQuery, form: Form, io: Io): Promise<string> {
  const rows = await readFingerprints(reader, range, 100);
  if (form.json === true) return `${JSON.stringify({ by: BY_FINGERPRINT, ...times(range), rows }, null, 2)}\n`;
  if (form.csv === true) return renderCsv(FINGERPRINT_FIELDS, rows);
  if (rows.length === 0) return "No failures recorded.\n";
  return (
    renderTable(columns(io.now()), rows, io.width, createColors(io)) + adviceText(rows.map(({ advice }) => advice))
  );
}

/** Reads the first distinct failures with the advice for each. */
export async function readFingerprints(
  reader: StoreReader,
  range: RollupQuery,
  limit: number,
): Promise<readonly Row[]> {
  return (await reader.fingerprints({ ...range, limit })).map(withKey);
}

type Row = TitledError & { readonly key: string; readonly tool: string; readonly advice: Advice | null };

function withKey(raw: FingerprintRow): Row {
  const row = withTitle(raw);
  const [[tool = ""] = []] = Object.entries(row.tools).sort(([, a], [, b]) => b - a);
  const advice = adviceFor({ category: row.category, tool: oneLineText(tool), message: row.sample }) ?? null;
  return { key: row.fingerprint, tool, ...row, advice };
}

function times({ since, until }: Range): object {
  const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  return { since: iso(since), until: iso(until) };
}

const FINGERPRINT_FIELDS = ["key", "category", "count", "first_at", "last_at", "tool", "sample"] as const;

function columns(now: number): readonly Column<Row>[] {
  const when = (at: string | null): string => (at === null ? "" : ago(at, now));
  return [
    // Without captured text, the fingerprint at least identifies the failure.
    { title: "FAILURE", text: ({ sample, title, fingerprint }) => (sample === "" ? fingerprint : title) },
    { title: "COUNT", align: "right", text: ({ count }) => String(count) },
    { title: "CATEGORY", text: ({ category }) => category, drop: 2 },
    { title: "MOSTLY", text: ({ tool }) => tool, drop: 1 },
    { title: "FIRST", align: "right", text: ({ first_at }) => when(first_at), drop: 3 },
    { title: "LAST", align: "right", text: ({ last_at }) => when(last_at) },
  ];
}
