import type { JsonObject } from "../../model/tool-call.ts";
import { type FitProblem, fitProblem } from "../arguments-fit.ts";
import { unwrapBySchema, unwrapWhole } from "../coerce.ts";
import { type Candidate, decide } from "../decision/decide.ts";
import { isAnnounced } from "../decision/mention.ts";
import { leadIn } from "../decision/sentence.ts";
import type { Before } from "../decision/surroundings.ts";
import type { Echoes } from "../echo/echoes.ts";
import type { FormatRow } from "../formats/row.ts";
import type { Repair } from "../json/values.ts";
import { cleanName } from "../name.ts";
import type { RawCall, Read } from "../payload/payload.ts";
import { UNSAFE_KEYS } from "../payload/vocabulary.ts";
import { fitsSchema, isSchemaEcho, isUndeclaredElement } from "../schema.ts";
import type { Schema, ToolIndex } from "../tools.ts";
import type { RecoverMode, RejectReason } from "../types.ts";
import type { Settings } from "./settings.ts";

/** An accepted call, before it gets an id and a span. */
export interface AcceptedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly rawArguments: string;
  readonly id?: string;
  readonly known: boolean;
  readonly complete: boolean;
  readonly repairs: readonly Repair[];
  readonly confidence: number;
}

export type ValidationResult =
  | { readonly kind: "calls"; readonly calls: readonly AcceptedCall[] }
  | { readonly kind: "rejected"; readonly reason: RejectReason; readonly name: string };

/** Attributes with an expression in braces: a JSX component in source code. */
const JSX = /^[\w:-]{1,64}\s?=[^<]{0,2000}?=\{|^[\w:-]{1,64}=\{/;

/**
 * Checks the calls of one candidate, regardless of its position. If one call fails, all are rejected and the block
 * stays text.
 */
export function validateCalls(
  calls: readonly RawCall[],
  repairs: readonly Repair[],
  row: FormatRow,
  tools: ToolIndex,
  mode: RecoverMode,
): ValidationResult {
  const accepted: AcceptedCall[] = [];
  for (const call of calls) {
    const result = validateCall(call, repairs, row, tools, mode);
    if (typeof result === "string") return { kind: "rejected", reason: result, name: call.name };
    accepted.push(result);
  }
  return { kind: "calls", calls: accepted };
}

function validateCall(
  call: RawCall,
  repairs: readonly Repair[],
  row: FormatRow,
  tools: ToolIndex,
  mode: RecoverMode,
): AcceptedCall | RejectReason {
  const clean = cleanName(call.name, tools);
  if (clean === undefined) return "invalid-name";
  const known = tools.has(clean.name);
  const needsName = mode === "strict" || (row.strength !== "strong" && !(mode === "eager" && tools.size === 0));
  if (needsName && !known) return "unknown-name";
  if (mode === "strict" && row.strength !== "strong") return "not-anchored";
  if (!call.complete && mode !== "eager") return "truncated";
  const applied = new Set<Repair>([...repairs, ...clean.repairs]);
  const schema = tools.schema(clean.name);
  const args = unwrapBySchema(unwrapWhole(call.args, clean.name, schema, applied), schema, applied);
  if (isNotCall(call, args, row, schema)) return "schema";
  if (row.strength === "weak") {
    if (call.complete && !fitsSchema(args, schema)) return "schema";
    if (Object.keys(args).some((key) => UNSAFE_KEYS.includes(key))) return "unsafe-key";
  }
  return {
    name: clean.name,
    args,
    rawArguments: call.rawArguments,
    ...(call.id === undefined ? {} : { id: call.id }),
    known,
    complete: call.complete,
    repairs: [...applied],
    confidence: confidenceOf(row, known, applied.size, call.complete),
  };
}

/**
 * Returns why a call cannot be made although it is one: its arguments do not fit the schema. Checked before {@link
 * judge}, so that the arguments are not searched for more calls. Candidates that are not calls at all are left to
 * {@link validateCalls}.
 */
export function findUnfitCall(
  calls: readonly RawCall[],
  row: FormatRow,
  tools: ToolIndex,
): { readonly reason: FitProblem; readonly name: string } | undefined {
  for (const call of calls) {
    const name = cleanName(call.name, tools)?.name;
    if (name === undefined || !call.complete || (row.strength !== "strong" && !tools.has(name))) continue;
    const schema = tools.schema(name);
    const args = unwrapBySchema(unwrapWhole(call.args, name, schema, new Set()), schema, new Set());
    if (isNotCall(call, args, row, schema)) continue;
    const reason = fitProblem(args, schema, call.doubts);
    if (reason !== undefined) return { reason, name };
  }
  return undefined;
}

/** Whether the candidate is a tool declaration, a component in source code, or an HTML element with a tool's name. */
function isNotCall(call: RawCall, args: JsonObject, row: FormatRow, schema: Schema | undefined): boolean {
  if (isSchemaEcho(args, schema)) return true;
  if (row.format === "tag-per-tool" && JSX.test(call.rawArguments)) return true;
  if (row.strength !== "named" || !call.complete) return false;
  const isEmpty = Object.keys(args).length === 0 && call.doubts === undefined;
  return isUndeclaredElement(args, schema) || (isEmpty && !fitsSchema(args, schema));
}

function confidenceOf(row: FormatRow, known: boolean, repairs: number, complete: boolean): number {
  const base = row.strength === "strong" ? (known ? 0.99 : 0.9) : row.strength === "named" ? 0.95 : 0.85;
  const confidence = base - Math.min(repairs, 5) * 0.04 - (complete ? 0 : 0.4);
  return Math.round(confidence * 100) / 100;
}

/** A parsed candidate to be evaluated. */
export interface CandidateCall {
  readonly start: number;
  readonly end: number;
  readonly row: FormatRow;
  readonly read: Extract<Read, { kind: "done" }>;
  /** The reason its position would reject it, unless the call is the whole message. */
  readonly positionReason: RejectReason | undefined;
}

/** The result of an evaluation, with what the closing gates need at the end of the message. */
export type Evaluation =
  | { readonly kind: "calls"; readonly calls: readonly AcceptedCall[]; readonly candidate: Candidate | undefined }
  | {
      readonly kind: "rejected";
      readonly reason: RejectReason;
      readonly name: string;
      /** The candidate is a mention, so everything inside it is part of the mention. */
      readonly isMention: boolean;
    };

/** Evaluates a candidate by its content, the text before it, and the texts the model was given. */
export function evaluateCandidate(
  text: string,
  offer: CandidateCall,
  before: () => Before,
  settings: Settings,
  echoes: () => Echoes,
): Evaluation {
  const { start, end, row, read } = offer;
  const { tools, mode, ungated } = settings;
  const validation = validateCalls(read.calls, read.repairs, row, tools, ungated ? "eager" : mode);
  if (validation.kind === "rejected") return { ...validation, isMention: false };
  const { calls } = validation;
  if (ungated) return { kind: "calls", calls, candidate: undefined };
  const { name } = read.calls[0] as RawCall;
  const reject = (reason: RejectReason, isMention: boolean): Evaluation => ({
    kind: "rejected",
    reason,
    name,
    isMention,
  });
  if (row.strength === "weak" && row.last !== true && !endsLine(text, end)) return reject("not-anchored", false);
  const surroundings = before();
  const lead = leadIn(surroundings.text);
  const candidate: Candidate = {
    strength: row.strength,
    hasSpecialToken: SPECIAL_TOKEN.test(text.slice(start, start + 16)),
    calls,
    before: surroundings,
    lead,
    isAnnounced: isAnnounced(lead),
  };
  const reason = decide(candidate);
  if (reason !== undefined) return reject(reason, true);
  if (echoes().find(calls, text.slice(start, end)) !== undefined) return reject("echo", true);
  return { kind: "calls", calls, candidate };
}

/** Spellings that people do not type. */
const SPECIAL_TOKEN = /^(?:<[|｜]|\[TOOL_|\]<\]|<\/?\u2581|✿)/;

/** Whether the line ends here or another block begins. */
function endsLine(text: string, at: number): boolean {
  let i = at;
  while (text[i] === " " || text[i] === "\t" || text[i] === ";" || text[i] === "\r") i += 1;
  const c = text[i];
  return c === undefined || c === "\n" || c === "<" || c === "{" || c === "[";
}
