import type { Repair } from "../../json/values.ts";
import type { JsonObject } from "../../model/tool-call.ts";
import type { SchemaNode } from "../../schema/compile.ts";
import {
  type FitProblem,
  fitProblem,
  fitsSchema,
  isSchemaEcho,
  isUndeclaredElement,
  UNSAFE_KEYS,
} from "../arguments-fit.ts";
import { unwrapBySchema, unwrapWhole } from "../coerce.ts";
import type { FormatRow, Strength } from "../formats/table.ts";
import type { Done, RawCall } from "../payload/payload.ts";
import { type CleanName, cleanName, type ToolIndex } from "../tools.ts";
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
  readonly name: string;
  readonly schema: SchemaNode | undefined;
  readonly args: JsonObject;
  readonly repairs: ReadonlySet<Repair>;
}

/** `isData`: it is a call that cannot be made, so its arguments are not searched for more calls. */
export type GatedCalls =
  | { readonly kind: "calls"; readonly calls: readonly AcceptedCall[] }
  | { readonly kind: "refused"; readonly reason: RejectReason; readonly name: string; readonly isData: boolean };

/** Attributes with an expression in braces: a JSX component in source code. */
const JSX = /^[\w:-]{1,64}\s?=[^<]{0,2000}?=\{|^[\w:-]{1,64}=\{/;

/** Checks the calls of a candidate, regardless of its position. If one of them fails, all are refused. */
export function gateCalls(read: Done, row: FormatRow, { tools, mode, ungated }: Settings): GatedCalls {
  const calls: AcceptedCall[] = [];
  let refused: GatedCalls | undefined;
  for (const raw of read.calls) {
    const clean = cleanName(raw.name, tools);
    const call = clean && prepareCall(raw, clean, read.repairs, tools);
    const unfit = call === undefined || ungated ? undefined : unfitReason(call, row, tools);
    if (unfit !== undefined) return { kind: "refused", reason: unfit, name: call?.name ?? raw.name, isData: true };
    const result = call === undefined ? "invalid-name" : validCall(call, row, tools, ungated ? "eager" : mode);
    if (typeof result !== "string") calls.push(result);
    else refused ??= { kind: "refused", reason: result, name: raw.name, isData: false };
  }
  return refused ?? { kind: "calls", calls };
}

function prepareCall(raw: RawCall, clean: CleanName, before: readonly Repair[], tools: ToolIndex): PreparedCall {
  const repairs = new Set<Repair>([...before, ...clean.repairs]);
  const { name } = clean;
  const schema = tools.schema(name);
  const args = unwrapBySchema(unwrapWhole(raw.args, name, schema, repairs), schema, repairs);
  return { raw, name, schema, args, repairs };
}

function validCall(
  call: PreparedCall,
  row: FormatRow,
  tools: ToolIndex,
  mode: RecoverMode,
): AcceptedCall | RejectReason {
  const { strength } = row;
  const { raw, name, schema, args, repairs } = call;
  const { rawArguments, id, complete } = raw;
  const known = tools.has(name);
  const needsName = mode === "strict" || (strength !== "strong" && !(mode === "eager" && tools.size === 0));
  if (needsName && !known) return "unknown-name";
  if (mode === "strict" && strength !== "strong") return "not-anchored";
  if (!complete && mode !== "eager") return "truncated";
  if (isNotCall(call, row)) return "schema";
  if (strength === "weak") {
    if (complete && !fitsSchema(args, schema)) return "schema";
    if (Object.keys(args).some((key) => UNSAFE_KEYS.includes(key))) return "unsafe-key";
  }
  const confidence = confidenceOf(strength, known, repairs.size, complete);
  return { name, args, rawArguments, id, known, complete, repairs: [...repairs], confidence };
}

function confidenceOf(strength: Strength, known: boolean, repairs: number, complete: boolean): number {
  const base = strength === "strong" ? (known ? 0.99 : 0.9) : strength === "named" ? 0.95 : 0.85;
  return Math.round(100 * (base - Math.min(repairs, 5) * 0.04 - (complete ? 0 : 0.4))) / 100;
}

/** Why a call cannot be made although it is one: its name fits several tools, or its arguments do not fit the schema. */
function unfitReason(call: PreparedCall, row: FormatRow, tools: ToolIndex): FitProblem | undefined {
  const { raw, name, schema, args } = call;
  if (!tools.has(name) && tools.like(name).length > 1) return "ambiguous";
  if (!raw.complete || (row.strength !== "strong" && !tools.has(name)) || isNotCall(call, row)) return undefined;
  return fitProblem(args, schema, raw.doubts);
}

/** Whether the candidate is a tool declaration, a component in source code, or an HTML element with a tool's name. */
function isNotCall({ raw, args, schema }: PreparedCall, row: FormatRow): boolean {
  if (isSchemaEcho(args, schema) || (row.jsx === true && JSX.test(raw.rawArguments))) return true;
  if (row.strength !== "named" || !raw.complete) return false;
  const { ambiguous = false, unstated = [] } = raw.doubts ?? {};
  const isEmpty = Object.keys(args).length === 0 && !ambiguous && unstated.length === 0;
  return isUndeclaredElement(args, schema) || (isEmpty && !fitsSchema(args, schema));
}
