import { canonicalJson } from "../json/values.ts";
import { present } from "../model/narrow.ts";
import type { LeakMatch, RecoveredCall } from "../recover/index.ts";
import type { CallIds } from "./call-ids.ts";
import { repairedArguments } from "./calls/native-call.ts";
import { argumentsText, freeText } from "./eligibility.ts";
import { resolveToolName } from "./resolve-tool-name.ts";
import { TextSegment } from "./text-segment.ts";
import type { Api, ClientTool, LeakReport, RepairedCall, RepairOptions, UnrepairedReason } from "./types.ts";

/** Shared by all turns of one response. */
export interface TurnContext {
  readonly api: Api;
  readonly options: RepairOptions;
  readonly tools: ReadonlyMap<string, ClientTool>;
  readonly ids: CallIds;
}

type TurnResult = UnrepairedReason | "repaired";

/** Limit for the model's text in a report. */
const MAX_TEXT_BEFORE_CHARS = 16_384;

function joined(before: string | undefined, next: (maxChars: number) => string): string {
  if (before === undefined) return next(MAX_TEXT_BEFORE_CHARS);
  return before.length >= MAX_TEXT_BEFORE_CHARS ? before : `${before}\n${next(MAX_TEXT_BEFORE_CHARS - before.length)}`;
}

/** Removes repeated calls: a call that several blocks of a turn repeat is repaired once. */
function withoutRepeats(calls: readonly RecoveredCall[]): readonly RecoveredCall[] {
  const first = new Map<string, RecoveredCall>();
  for (const call of calls) {
    const key = `${call.name} ${canonicalJson(call.arguments)}`;
    if (!first.has(key)) first.set(key, call);
  }
  return [...first.values()];
}

/** One turn of the model: its texts, and whether the calls in them are repaired. Each choice is a turn. */
export class RepairTurn {
  readonly #context: TurnContext;
  readonly segments: TextSegment[] = [];
  #problem: UnrepairedReason | undefined;
  #result: TurnResult | undefined;
  calls: readonly RepairedCall[] = [];
  #dropped: ReadonlySet<RecoveredCall> = new Set();
  #idOf = new Map<RecoveredCall, string>();
  /** Corrected names of native calls, by id. */
  readonly #renamed = new Map<string, { readonly written: string; readonly name: string }>();

  readonly #ownReports: LeakReport[] = [];

  constructor(context: TurnContext) {
    this.#context = context;
    this.#problem = context.options.blocked;
  }

  newSegment(): TextSegment {
    const segment = new TextSegment(this.#context, () => this.forbid("buffer-full"));
    this.segments.push(segment);
    return segment;
  }

  /** The corrected name of a native call; undefined if it needs no correction. */
  rename(id: string | undefined, written: string, isCustom = false): string | undefined {
    const { tools, options } = this.#context;
    const name = resolveToolName(written, tools, isCustom)?.name;
    if (name === undefined || options.blocked !== undefined || options.isAllowed?.(name) === false) return undefined;
    // Some servers repeat the name in every chunk of a call, but send the id only in the first.
    if (id !== undefined) this.#renamed.set(id, { written, name });
    return name;
  }

  get isRenamed(): boolean {
    return this.#renamed.size > 0;
  }

  /** Forbids repair of this turn. The first reason wins. */
  forbid(reason: UnrepairedReason): void {
    this.#problem ??= reason;
  }

  get isRepaired(): boolean {
    return this.#result === "repaired";
  }

  get isOver(): boolean {
    return this.#result !== undefined;
  }

  /** No further event of this turn needs buffering. */
  get isPassedThrough(): boolean {
    return this.#problem !== undefined || this.#result !== undefined;
  }

  /** True if the text up to `end` can be emitted: it is not part of a call, or the turn cannot be repaired. */
  canEmit(segment: TextSegment, end: number): boolean {
    return this.isPassedThrough || segment.isCertainlyText(end);
  }

  /** Adds a report about a call that no segment contains. */
  report(report: LeakReport): void {
    this.#ownReports.push(report);
  }

  /** Ends the turn; `reason` is set if it did not end normally. */
  end(reason?: UnrepairedReason): void {
    if (this.#result !== undefined) return;
    for (const segment of this.segments) segment.end();
    const problem = this.#problem ?? reason;
    const found = this.segments.flatMap(({ accepted }) => accepted.flatMap(({ calls }) => calls));
    if (problem !== undefined || found.length === 0) {
      this.#result = problem ?? "unknown-stop-reason";
      return;
    }
    const { parallel } = this.#context.options;
    const distinct = withoutRepeats(found);
    const repaired = parallel ? distinct : distinct.slice(0, 1);
    this.#dropped = new Set(found.filter((call) => !repaired.includes(call)));
    this.calls = repaired.map((call) => this.#makeCall(call));
    this.#result = "repaired";
  }

  #makeCall(call: RecoveredCall): RepairedCall {
    const tool = this.#context.tools.get(call.name);
    const id = this.#context.ids.idFor(call.id);
    this.#idOf.set(call, id);
    return {
      id,
      name: tool?.wireName ?? call.name,
      ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
      arguments: tool?.custom === true ? present(freeText(call)) : this.#argumentsOf(call, tool),
      ...(tool?.custom === true && { custom: true }),
      format: call.format,
      repairs: call.repairs,
    };
  }

  /** The arguments of a repaired leak. Like those of a native call, they change only if they do not fit. */
  #argumentsOf(call: RecoveredCall, tool: ClientTool | undefined): string {
    const { calls, canStoreCall } = this.#context.options;
    const written = argumentsText(call);
    // Whether a call can be stored was decided for its own text.
    if (tool === undefined || calls === undefined || canStoreCall !== undefined) return written;
    return repairedArguments(written, tool, calls);
  }

  /** Reports for the leaks of this turn, one per format and reason. */
  get reports(): readonly LeakReport[] {
    const sums = new Map<string, { -readonly [K in keyof LeakReport]: LeakReport[K] }>();
    const add = (segment: TextSegment, match: LeakMatch, reason: UnrepairedReason | undefined): void => {
      const key = `${match.format} ${reason ?? ""}`;
      const calls = match.kind === "call" ? match.calls : [];
      const sum = sums.get(key) ?? {
        result: reason === undefined ? ("recovered" as const) : ("left" as const),
        format: match.format,
        repairs: [],
        parsed: 0,
        dropped: 0,
        names: [],
        tool_call_ids: [],
        ...(reason !== undefined && { reason }),
      };
      const names =
        match.kind === "call" ? calls.map(({ name }) => name) : match.name === undefined ? [] : [match.name];
      sums.set(key, {
        ...sum,
        repairs: [...new Set([...sum.repairs, ...calls.flatMap(({ repairs }) => repairs)])],
        parsed: sum.parsed + calls.length,
        dropped: sum.dropped + calls.filter((call) => this.#dropped.has(call)).length,
        ...(calls.length > 0 && {
          evidence: [...new Set([...(sum.evidence ?? []), ...calls.map(({ evidence }) => evidence)])],
        }),
        names: [...new Set([...sum.names, ...names])],
        before: joined(sum.before, (maxChars) => segment.slice(match.span, maxChars).trim()),
        tool_call_ids: [...sum.tool_call_ids, ...calls.flatMap((call) => this.#idOf.get(call) ?? [])],
      });
    };
    const reason = this.#result === "repaired" ? undefined : (this.#result ?? "aborted");
    for (const segment of this.segments) {
      for (const match of segment.accepted) add(segment, match, reason);
      for (const { match, reason } of segment.unrepaired) add(segment, match, reason);
    }
    return [...this.#nameReport(), ...sums.values(), ...this.#ownReports];
  }

  #nameReport(): readonly LeakReport[] {
    if (this.#renamed.size === 0) return [];
    const renamed = [...this.#renamed.values()];
    return [
      {
        result: "recovered",
        format: NATIVE_NAME,
        repairs: ["cleaned-name"],
        parsed: this.#renamed.size,
        dropped: 0,
        names: [...new Set(renamed.map(({ name }) => name))],
        tool_call_ids: [...this.#renamed.keys()],
        before: joined(undefined, (maxChars) =>
          renamed
            .map(({ written }) => written)
            .join("\n")
            .slice(0, maxChars),
        ),
      },
    ];
  }
}

/** The format under which corrected names of native calls are reported: only the name was malformed, not the call. */
export const NATIVE_NAME = "native-name";
