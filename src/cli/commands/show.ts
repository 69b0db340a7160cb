import { type Advice, adviceFor } from "../../core/detect/index.ts";
import { messageOf } from "../../core/model/errors.ts";
import { isRoot } from "../../core/score/index.ts";
import type { CallRow, LoopRow, SessionDetail, StoreReader, TurnRow } from "../../store/port.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import { type Colors, createColors, percent, pluralize, type Style } from "../format.ts";
import { tokensText } from "../format-tokens.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { oneLineText, shorten, textWidth, wrapText } from "../table.ts";
import { adviceText } from "./advice-text.ts";
import { callsIn, type Incident, incidentsOf, joinRepeated, unrepaired } from "./session-incidents.ts";

export interface ShowFlags extends Flags {
  readonly project?: string;
  readonly json?: boolean;
}

/** Shows the timeline of one session: calls, failures, follow-ons and retries. */
export async function showCommand(id: string, flags: ShowFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  const reader = await openReader(config, io);
  try {
    const detail = await wholeSession(reader, id, flags).catch((error: unknown) => {
      if (error instanceof CliError) throw error;
      throw new CliError(`Cannot read the records in ${config.data}: ${messageOf(error)}.`, { cause: error });
    });
    if (flags.json === true) {
      const { project, session_id } = detail.session;
      const turns = await allTurns(reader, project, session_id);
      io.out(`${JSON.stringify({ ...asJson(detail), turns }, null, 2)}\n`);
    } else io.out(asText(detail, await loopsOf(reader, detail), io));
  } finally {
    await reader.close();
  }
  return 0;
}

/** Reads the session with all its calls, page by page. */
async function wholeSession(reader: StoreReader, id: string, flags: ShowFlags): Promise<SessionDetail> {
  const found = await find(reader, id, flags);
  const calls = [...found.calls];
  while (calls.length < found.total) {
    const { project: of, session_id } = found.session;
    const more = await reader.sessionDetail(of, session_id, { offset: calls.length, limit: 5000 });
    if (more === undefined || more.calls.length === 0) break;
    calls.push(...more.calls);
  }
  return { ...found, calls };
}

/** Reads the tokens of all responses, page by page. */
async function allTurns(reader: StoreReader, project: string, id: string): Promise<readonly TurnRow[]> {
  const turns: TurnRow[] = [];
  for (;;) {
    // A store of an older version has no turns until its server is restarted.
    const page = { offset: turns.length, limit: 5000 };
    const more = await reader.turns(project, id, page).catch((): readonly TurnRow[] => []);
    turns.push(...more);
    if (more.length < page.limit) return turns;
  }
}

async function loopsOf(reader: StoreReader, { session }: SessionDetail): Promise<readonly LoopRow[]> {
  if (session.loops === 0) return [];
  const { project, session_id, started_at, last_at } = session;
  const range = { project, since: Date.parse(started_at), until: Date.parse(last_at) + 1 };
  const rows = await reader.loops({ ...range, limit: 1000 });
  return rows.filter((row) => row.session_id === session_id);
}

/** Finds a session by its id, or by a prefix that matches only one. */
async function find(reader: StoreReader, given: string, flags: ShowFlags): Promise<SessionDetail> {
  const { project } = flags;
  // Tables truncate long ids with an ellipsis, which users copy along.
  const id = given.replace(/…$/, "");
  const exact = await reader.sessionDetail(project ?? "default", id);
  if (exact !== undefined) return exact;
  const rows = await reader.sessions({ text: id, limit: 100, ...(project !== undefined && { project }) });
  const alike = rows.filter(({ session_id }) => session_id.startsWith(id));
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) {
    const whole = await reader.sessionDetail(only.project, only.session_id);
    if (whole !== undefined) return whole;
  }
  if (only === undefined)
    throw new CliError(`Session ${shown(id)} not found. \`${commandLine("sessions", flags)}\` lists all sessions.`);
  const names = alike
    .slice(0, 5)
    .map((row) => (row.project === "default" ? row.session_id : `${row.session_id} (project ${row.project})`));
  throw new CliError(`Several sessions start with ${shown(id)}: ${names.join(", ")}${alike.length > 5 ? ", …" : ""}.`);
}

function shown(text: string): string {
  return shorten(oneLineText(text), 80);
}

/** Replaces record ids by the ids the API gave the calls. */
function asJson({ session, scores, prompts, calls, guard, leaks, failed_exchanges }: SessionDetail): object {
  const ids = new Map(calls.map(({ id, tool_call_id }) => [id, tool_call_id]));
  const named = (id: string | null): string | null => (id === null ? null : (ids.get(id) ?? null));
  const byName = (all: SessionDetail["scores"]): object =>
    Object.fromEntries(all.map(({ name, value }) => [name, value]));
  return {
    session: { ...session, scores: byName(scores) },
    story: countLinks(calls),
    prompts,
    calls: calls.map((call) => ({
      ...call,
      retry_of: named(call.retry_of),
      cascade_of: named(call.cascade_of),
      recovered_by: named(call.recovered_by),
      scores: byName(call.scores),
      advice: adviceOf(call),
    })),
    guard,
    leaks,
    failed_exchanges,
  };
}

function asText(detail: SessionDetail, loops: readonly LoopRow[], io: Io): string {
  const paint = createColors(io);
  const entries = renderTimeline(detail.calls);
  const { calls } = detail;
  const incidents = incidentsOf(detail);
  const agents = [...new Set([...calls, ...incidents].map(({ agent_id }) => agent_id))];
  const threads = agents.map((agent) => {
    const title = agents.length === 1 ? "" : `\n${paint("strong", `agent ${oneLineText(agent)}`)}\n`;
    return (
      title +
      threadText(
        entries.filter(({ call }) => call.agent_id === agent),
        incidents.filter(({ agent_id }) => agent_id === agent),
        detail,
        io.width,
        paint,
      )
    );
  });
  return `${headText(detail, loops, paint)}${threads.join("")}${adviceText(detail.calls.map(adviceOf))}`;
}

function adviceOf({ status, category, phase, tool_name, status_message }: CallRow): Advice | null {
  if (status !== "failed" || category === null) return null;
  return (
    adviceFor({
      category,
      phase: phase ?? undefined,
      tool: oneLineText(tool_name),
      message: status_message ?? undefined,
    }) ?? null
  );
}

function headText(
  { session, calls, leaks, failed_exchanges }: SessionDetail,
  loops: readonly LoopRow[],
  paint: Colors,
): string {
  const { client, model_used, provider, source, started_at, last_at } = session;
  const who = [client, model_used, provider, source].filter((one) => one !== null && one !== "").map(String);
  const waiting = calls.filter(({ status }) => status === "pending").length;
  const left = unrepaired(leaks).reduce((sum, leak) => sum + callsIn(leak), 0);
  const summary = [
    session.calls + waiting === 0
      ? `No calls in ${pluralize(session.requests, "request")}`
      : `${pluralize(session.calls, "call")}: ${session.ok} ok, ${session.failed} failed, ${session.unknown} unknown`,
    ...(waiting > 0 ? [`${waiting} waiting for a result`] : []),
    ...(left > 0 ? [`${pluralize(left, "leaked call")} left as text`] : []),
    ...(failed_exchanges.length > 0 ? [`${pluralize(failed_exchanges.length, "failed request")}`] : []),
    // Without a known outcome, health is `insufficient`; without calls, it says nothing.
    ...(session.ok + session.failed === 0
      ? session.health === "insufficient"
        ? [session.health]
        : []
      : [`success ${percent(session.success_rate)} %`, `${session.health} (by rate: ${session.rate_health})`]),
    ...(session.dominant_failure_mode === null ? [] : [`mostly ${session.dominant_failure_mode}`]),
    ...loops.map(({ run, running }) => `a loop of ${pluralize(run, "call")}${running ? ", may continue" : ""}`),
  ];
  return [
    `${paint("strong", `Session ${oneLineText(session.session_id)}`)} · ${oneLineText(who.join(" · "))}`,
    `${clock(started_at, "date")} – ${clock(last_at, "date")} UTC`,
    oneLineText(summary.join(" · ")),
    formatLinkCounts(countLinks(calls)),
    ...(tokensText(session) === "" ? [] : [tokensText(session)]),
    "",
  ]
    .map((line) => `${line}\n`)
    .join("");
}

const GLYPHS: Readonly<Record<CallRow["status"], readonly [glyph: string, style: Style]>> = {
  ok: ["✓", "good"],
  failed: ["✗", "bad"],
  unknown: ["?", "doubtful"],
  pending: ["…", "faint"],
};

function threadText(
  entries: readonly TimelineEntry[],
  incidents: readonly Incident[],
  { prompts }: SessionDetail,
  width: number,
  paint: Colors,
): string {
  const digits = String(entries.at(-1)?.number ?? 1).length;
  const rest = [...incidents];
  const incidentsBefore = (at: string | undefined): string => {
    const later = rest.findIndex((incident) => at !== undefined && incident.at >= at);
    const left = " ".repeat(digits + 2);
    return joinRepeated(rest.splice(0, later === -1 ? rest.length : later))
      .map((incident) => `${left}${clock(incident.at, "time")} ${incidentText(incident, left.length + 11)}`)
      .join("");
  };
  const incidentText = ({ style, text, below }: Incident, indent: number): string => {
    const room = Math.max(20, width - indent);
    const [first = "", ...others] = wrapText(text, room, MAX_MESSAGE_LINES);
    const more = [...others, ...(below === "" ? [] : [paint("faint", shorten(below, room))])];
    return `${paint(style, "!")} ${first}\n${more.map((line) => `${" ".repeat(indent)}${line}\n`).join("")}`;
  };
  let lastPrompt: string | null = null;
  const calls = entries
    .map(({ call, number, depth, remarks }) => {
      const before = incidentsBefore(call.at);
      const [glyph, style] = GLYPHS[call.status];
      const heading = call.prompt !== null && call.prompt !== lastPrompt ? promptText(call, prompts) : "";
      lastPrompt = call.prompt ?? lastPrompt;
      const left = `#${String(number).padEnd(digits)} ${clock(call.at, "time")} ${"   ".repeat(Math.min(depth, 5))}`;
      const marks = isRepaired(call) ? [...remarks, "repaired call"] : remarks;
      const room = Math.max(20, width - left.length - 2);
      const [first = "", ...more] = callLines(oneLineText(notes(marks)), oneLineText(whatHappened(call)), room);
      const indent = " ".repeat(left.length + 2);
      const below = calledWith(call);
      return [
        ...(before === "" ? [] : [before.trimEnd()]),
        ...(heading === "" ? [] : [paint("faint", heading)]),
        `${left}${paint(style, glyph)} ${first}`,
        ...more.map((line) => indent + line),
        ...[below, repairNote(call)]
          .filter((line) => line !== "")
          .map((line) => indent + paint("faint", shorten(line, room))),
        "",
      ].join("\n");
    })
    .join("");
  return calls + incidentsBefore(undefined);
}

function notes(remarks: readonly string[]): string {
  return remarks.length === 0 ? "" : `[${remarks.join("; ")}]`;
}

const MAX_MESSAGE_LINES = 4;

/** One line if it fits. Otherwise the message begins a line of its own: it contains the reason, often at its end. */
function callLines(links: string, message: string, width: number): readonly string[] {
  const line = links === "" ? message : `${links} ${message}`;
  if (links === "" || textWidth(line) <= width) return wrapText(line, width, MAX_MESSAGE_LINES);
  return [shorten(links, width), ...wrapText(message, width, MAX_MESSAGE_LINES)];
}

function whatHappened({ tool_name, status, status_message, category, soft }: CallRow): string {
  if (status === "failed") return status_message ?? `${tool_name} ${category ?? "failed"}`;
  return `${tool_name}${soft ? " (reports a failure)" : ""}`;
}

/** Whether the call was read from a leak, or its arguments were changed. */
function isRepaired({ origin, repair }: CallRow): boolean {
  return origin === "recovered" || repair?.result === "repaired";
}

/** Arguments of a failed call, as far as `--capture` stores them. */
function calledWith({ status, arguments_preview }: CallRow): string {
  return status === "failed" ? oneLineText(arguments_preview ?? "") : "";
}

/** What repair did to a native call that does not fit. */
function repairNote({ repair }: CallRow): string {
  if (repair === null) return "";
  const { result, classes, paths, problem, reason, before, after } = repair;
  const changes = classes.map((name, at) => `${name} at ${paths[at] ?? "?"}`);
  const why = [...changes, ...(problem === undefined ? [] : [problem]), ...(reason === undefined ? [] : [reason])];
  const texts = result === "repaired" && before !== undefined && after !== undefined ? `: ${before} → ${after}` : "";
  return oneLineText(`${result} (${why.join(", ")})${texts}`);
}

function promptText({ prompt, workflow }: CallRow, prompts: SessionDetail["prompts"]): string {
  const kind = workflow ?? prompts.find((one) => one.prompt === prompt)?.workflow;
  return kind === null || kind === undefined ? "workflow: unknown" : `workflow: ${oneLineText(kind)}`;
}

/** Uses UTC, so that a report does not depend on the reader's time zone. */
function clock(at: string, part: "date" | "time"): string {
  return part === "time" ? at.slice(11, 19) : at.slice(0, 19).replace("T", " ");
}

/** A call with its position in the session's timeline. */
export interface TimelineEntry {
  readonly call: CallRow;
  /** From 1, in the order the calls were made. */
  readonly number: number;
  /** Indentation below the root failure or the first attempt. */
  readonly depth: number;
  /** Its links to other calls, as text. */
  readonly remarks: readonly string[];
}

/** Counts of links in a session. */
export interface LinkCounts {
  readonly roots: number;
  readonly follow_ons: number;
  readonly retries: number;
  readonly recoveries: number;
}

export function countLinks(calls: readonly CallRow[]): LinkCounts {
  return {
    roots: calls.filter(isRootFailure).length,
    follow_ons: calls.filter(({ cascade_of }) => cascade_of !== null).length,
    retries: calls.filter(({ retry_of }) => retry_of !== null).length,
    // One successful retry can recover several failed attempts.
    recoveries: new Set(calls.flatMap(({ recovered_by }) => recovered_by ?? [])).size,
  };
}

function isRootFailure({ status, cascade_of, retry_of }: CallRow): boolean {
  return isRoot({ status, cascade_of, retry_of });
}

/** "1 root failure, 3 follow-ons, 2 retries, 1 recovery" */
export function formatLinkCounts({ roots, follow_ons, retries, recoveries }: LinkCounts): string {
  const part = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
  return [
    part(roots, "root failure", "root failures"),
    part(follow_ons, "follow-on", "follow-ons"),
    part(retries, "retry", "retries"),
    part(recoveries, "recovery", "recoveries"),
  ].join(", ");
}

/** Nests follow-ons below their root failure and retries below the first attempt. */
export function renderTimeline(calls: readonly CallRow[]): readonly TimelineEntry[] {
  const numbers = new Map(calls.map(({ id }, at) => [id, at + 1]));
  const byId = new Map(calls.map((call) => [call.id, call]));
  const name = (id: string | null): string => {
    const number = id === null ? undefined : numbers.get(id);
    return number === undefined ? "an earlier call" : `#${number}`;
  };
  const depths = new Map<string, number>();
  return calls.map((call, at) => {
    const first = firstAttempt(call, byId);
    const from = call.cascade_of ?? (first === call ? null : first.id);
    const depth = from === null ? 0 : (depths.get(from) ?? 0) + 1;
    depths.set(call.id, depth);
    return { call, number: at + 1, depth, remarks: remarksOf(call, first, name) };
  });
}

function remarksOf(call: CallRow, first: CallRow, name: (id: string | null) => string): readonly string[] {
  const remarks: string[] = [];
  if (call.cascade_of !== null) remarks.push(`follow-on of ${name(call.cascade_of)} (${call.cascade_rule})`);
  if (call.retry_of !== null) {
    const which = first === call ? name(call.retry_of) : name(first.id);
    remarks.push(`${call.status === "ok" ? "recovery: " : ""}retry ${call.retry_count} of ${which}`);
  }
  if (isRootFailure(call)) remarks.push("root failure");
  if (call.recovered_by !== null) remarks.push(`recovered by ${name(call.recovered_by)}`);
  return remarks;
}

/** The first attempt of a retried call. Bounded by the number of calls, so a cycle of links ends. */
function firstAttempt(call: CallRow, byId: ReadonlyMap<string, CallRow>): CallRow {
  let first = call;
  for (let steps = 0; first.retry_of !== null && steps < byId.size; steps += 1) {
    const before = byId.get(first.retry_of);
    if (before === undefined) break;
    first = before;
  }
  return first;
}
