import type { Repair } from "../../json/values.ts";
import type { JsonObject } from "../../model/tool-call.ts";
import type { SchemaNode } from "../../schema/compile.ts";
import {
  type Doubts,
  type FitProblem,
  fitProblem,
  fitsSchema,
  isSchemaEcho,
  isUndeclaredElement,
  UNSAFE_KEYS,
} from "../arguments-fit.ts";
import { unwrapBySchema, unwrapWhole } from "../coerce.ts";
import { type Candidate, decide } from "../decision/decide.ts";
import { isAnnounced } from "../decision/mention.ts";
import { leadIn } from "../decision/sentence.ts";
import type { Before } from "../decision/surroundings.ts";
import type { Echoes } from "../echo/echoes.ts";
import type { FormatRow } from "../formats/table.ts";
import type { Done, RawCall } from "../payload/payload.ts";
import { cleanName, type ToolIndex } from "../tools.ts";
import type { RecoveredCall, RecoverMode, RejectReason } from "../types.ts";
import type { Settings } from "./settings.ts";

/** An accepted call, before it gets an id and a span. */
export type AcceptedCall = Pick<
  RecoveredCall,
  "name" | "rawArguments" | "known" | "complete" | "repairs" | "confidence"
> &
  Pick<RawCall, "args" | "id">;

/** A parsed call, with its name and arguments as the declared tool takes them. */
interface PreparedCall {
  readonly raw: RawCall;
  /** Absent if what was written cannot be a name. */
  readonly name: string | undefined;
  readonly schema: SchemaNode | undefined;
  readonly args: JsonObject;
  readonly repairs: ReadonlySet<Repair>;
}

/** Attributes with an expression in braces: a JSX component in source code. */
const JSX = /^[\w:-]{1,64}\s?=[^<]{0,2000}?=\{|^[\w:-]{1,64}=\{/;

export function prepareCalls({ calls, repairs }: Done, tools: ToolIndex): readonly PreparedCall[] {
  return calls.map((raw) => {
    const clean = cleanName(raw.name, tools);
    const applied = new Set<Repair>([...repairs, ...(clean?.repairs ?? [])]);
    const name = clean?.name;
    if (name === undefined) return { raw, name, schema: undefined, args: raw.args, repairs: applied };
    const schema = tools.schema(name);
    const args = unwrapBySchema(unwrapWhole(raw.args, name, schema, applied), schema, applied);
    return { raw, name, schema, args, repairs: applied };
  });
}

/** Checks one call, regardless of its position. If one call of a candidate fails, all are rejected. */
function validateCall(
  call: PreparedCall,
  row: FormatRow,
  tools: ToolIndex,
  mode: RecoverMode,
): AcceptedCall | RejectReason {
  const { raw, name, args, repairs } = call;
  const { rawArguments, id, complete } = raw;
  if (name === undefined) return "invalid-name";
  const known = tools.has(name);
  const needsName = mode === "strict" || (row.strength !== "strong" && !(mode === "eager" && tools.size === 0));
  if (needsName && !known) return "unknown-name";
  if (mode === "strict" && row.strength !== "strong") return "not-anchored";
  if (!complete && mode !== "eager") return "truncated";
  if (isNotCall(call, row)) return "schema";
  if (row.strength === "weak") {
    if (complete && !fitsSchema(args, call.schema)) return "schema";
    if (Object.keys(args).some((key) => UNSAFE_KEYS.includes(key))) return "unsafe-key";
  }
  const confidence = confidenceOf(row, known, repairs.size, complete);
  return { name, args, rawArguments, id, known, complete, repairs: [...repairs], confidence };
}

/**
 * Returns why a call cannot be made although it is one: its arguments do not fit the schema. Checked before {@link
 * evaluateCandidate}, so that the arguments are not searched for more calls. Candidates that are not calls at all are
 * left to it.
 */
export function findUnfitCall(
  calls: readonly PreparedCall[],
  row: FormatRow,
  tools: ToolIndex,
): { readonly reason: FitProblem; readonly name: string } | undefined {
  for (const call of calls) {
    const { raw, name, schema, args } = call;
    if (name === undefined || !raw.complete || (row.strength !== "strong" && !tools.has(name))) continue;
    const reason = isNotCall(call, row) ? undefined : fitProblem(args, schema, raw.doubts);
    if (reason !== undefined) return { reason, name };
  }
  return undefined;
}

/** Whether the candidate is a tool declaration, a component in source code, or an HTML element with a tool's name. */
function isNotCall({ raw, args, schema }: PreparedCall, row: FormatRow): boolean {
  if (isSchemaEcho(args, schema)) return true;
  if (row.jsx === true && JSX.test(raw.rawArguments)) return true;
  if (row.strength !== "named" || !raw.complete) return false;
  const isEmpty = Object.keys(args).length === 0 && !isDoubtful(raw.doubts);
  return isUndeclaredElement(args, schema) || (isEmpty && !fitsSchema(args, schema));
}

function isDoubtful({ ambiguous = false, unstated = [] }: Doubts = {}): boolean {
  return ambiguous || unstated.length > 0;
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
  /** Where the text begins that is removed with it: frame tokens directly before it are. */
  readonly spanStart: number;
  readonly row: FormatRow;
  readonly read: Done;
  readonly calls: readonly PreparedCall[];
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
  const { start, end, row } = offer;
  const { tools, mode, ungated } = settings;
  const { name } = (offer.calls[0] as PreparedCall).raw;
  const reject = (reason: RejectReason, isMention: boolean): Evaluation => ({
    kind: "rejected",
    reason,
    name,
    isMention,
  });
  const calls: AcceptedCall[] = [];
  for (const call of offer.calls) {
    const result = validateCall(call, row, tools, ungated ? "eager" : mode);
    if (typeof result === "string") return { kind: "rejected", reason: result, name: call.raw.name, isMention: false };
    calls.push(result);
  }
  if (ungated) return { kind: "calls", calls, candidate: undefined };
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
  while (i < text.length && " \t\r;".includes(text[i] as string)) i += 1;
  return i >= text.length || "\n<{[".includes(text[i] as string);
}
