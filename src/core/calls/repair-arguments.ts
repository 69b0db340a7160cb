import { type JsonNode, readTree, readWholeTree, skipSpace } from "../json/json-tree.ts";
import { rewriteLooseJson } from "../json/rewrite.ts";
import { applyEdits, canonicalJson } from "../json/values.ts";
import type { Json } from "../model/tool-call.ts";
import type { SchemaNode } from "../schema/compile.ts";
import { findMisfit, type Misfit, Steps, TooManyStepsError } from "../schema/fits.ts";
import {
  type Fault,
  type FaultFilter,
  fitsAsText,
  nodeValue,
  type Repair,
  repairValue,
  type Source,
} from "./repair-value.ts";

/** Arguments compared with their schema. `text` is what should be sent. */
export type CheckedArguments =
  | { readonly kind: "valid"; readonly text: string }
  | { readonly kind: "repaired"; readonly text: string; readonly repairs: readonly Repair[] }
  /** Unchanged: the arguments do not fit, and no single repair makes them fit. */
  | { readonly kind: "invalid"; readonly text: string; readonly misfits: readonly Misfit[] };

/** Larger arguments are not read. */
export const MAX_ARGUMENT_CHARS = 1 << 20;

/** Keys in which models wrap the arguments. */
export const WRAPPERS = ["arguments", "input", "parameters", "params", "args", "properties", "kwargs"] as const;

/** Enough for every value a model writes; limits schemas whose alternatives multiply. */
export const MAX_STEPS = 200_000;

/**
 * Checks the arguments of a call as text. Changes them only if they do not fit, exactly one reading fits, and that
 * reading loses and invents nothing. Never throws.
 */
export function checkArguments(
  text: string,
  schema: SchemaNode,
  tool: string,
  isEnabled?: FaultFilter,
): CheckedArguments {
  // Arguments that are too large to parse count as fitting and are sent unchanged.
  if (text.length > MAX_ARGUMENT_CHARS) return { kind: "valid", text };
  try {
    const checked = check({ text, steps: new Steps(MAX_STEPS) }, schema, tool);
    if (checked.kind !== "repaired" || isEnabled === undefined) return checked;
    const forbidden = checked.repairs.find((repair) => !isEnabled(repair.class));
    return forbidden === undefined
      ? checked
      : {
          kind: "invalid",
          text,
          misfits: [{ path: forbidden.path, problem: `has a fault of class ${forbidden.class}` }],
        };
  } catch (error) {
    if (error instanceof TooManyStepsError) return { kind: "valid", text };
    throw error;
  }
}

function check(source: Source, schema: SchemaNode, tool: string): CheckedArguments {
  const { text } = source;
  const node = readWholeTree(text);
  const misfit = node === undefined ? NOT_JSON : misfitOfRoot(source, node, schema);
  if (misfit === undefined) return { kind: "valid", text };
  const repaired = repairText(source, node, schema, tool);
  return repaired === undefined || !fitsRoot({ ...source, text: repaired.text }, schema)
    ? { kind: "invalid", text, misfits: [misfit] }
    : { kind: "repaired", ...repaired };
}

const NOT_JSON: Misfit = { path: "$", problem: "is not JSON" };

function misfitOfRoot(source: Source, node: JsonNode, schema: SchemaNode): Misfit | undefined {
  if (node.kind !== "object") return { path: "$", problem: `must be object, is ${node.kind}` };
  return findMisfit(source, nodeValue(source, node), schema);
}

function fitsRoot(source: Source, schema: SchemaNode): boolean {
  return readWholeTree(source.text)?.kind === "object" && fitsAsText(source, schema);
}

interface Repaired {
  readonly text: string;
  readonly repairs: readonly Repair[];
}

/** Each step removes one layer around the object; then the object is repaired. */
function repairText(
  source: Source,
  node: JsonNode | undefined,
  schema: SchemaNode,
  tool: string,
): Repaired | undefined {
  if (node?.kind === "object") return repairObject(source, node, schema, tool);
  const { text } = source;
  const whole = (fault: Fault, inner: string): Repaired | undefined => {
    const checked = check({ ...source, text: inner }, schema, tool);
    if (checked.kind === "invalid" || readWholeTree(checked.text)?.kind !== "object") return undefined;
    const repairs = checked.kind === "repaired" ? checked.repairs : [];
    return { text: checked.text, repairs: [{ class: fault, path: "$" }, ...repairs] };
  };
  if (text.trim() === "" || node?.kind === "null") return whole("empty", "{}");
  if (node?.kind === "string")
    return readWholeTree(node.value)?.kind === "object" ? whole("double-encoded", node.value) : undefined;
  if (node !== undefined) return undefined;
  const unfenced = insideFence(text);
  if (unfenced !== undefined) return whole("fence", unfenced);
  const first = readTree(text);
  if (first?.kind === "object") {
    const split = splitAfter(text, first);
    return split && whole(split.fault, split.text);
  }
  const loose = rewriteLooseJson(text);
  return loose === undefined ? undefined : whole("syntax", loose);
}

/** Of an object and the text or objects after it, returns the intended object. */
function splitAfter(text: string, first: JsonNode): { readonly fault: Fault; readonly text: string } | undefined {
  const firstText = text.slice(first.start, first.end);
  // Includes the white space after it, which a stream has already sent.
  const kept = text.slice(0, skipSpace(text, first.end));
  const rest = text.slice(first.end);
  if (isDebris(rest)) return { fault: "trailing-text", text: kept };
  const following: string[] = [];
  for (let at = skipSpace(text, first.end); at < text.length; ) {
    const next = readTree(text, at);
    if (next?.kind !== "object") return undefined;
    following.push(text.slice(next.start, next.end));
    at = skipSpace(text, next.end);
  }
  const [second] = following;
  if (second === undefined) return undefined;
  if (canonical(firstText) === "{}" && following.length === 1) return { fault: "empty-object-first", text: second };
  const isRepeated = following.every((one) => canonical(one) === canonical(firstText));
  return isRepeated ? { fault: "repeated", text: kept } : undefined;
}

function canonical(json: string): string {
  return canonicalJson(JSON.parse(json) as Json);
}

/** Tokens of chat templates, ends of fences, and brackets that close nothing. */
const DEBRIS = /\s+|```|[\]}]|<\/?[A-Za-z_][\w:.-]{0,40}>|<[|｜][^<>|｜]{0,60}[|｜]>|\[\/?[A-Z][A-Z_]{1,30}\]|<\/s>|;/y;

function isDebris(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    DEBRIS.lastIndex = at;
    if (!DEBRIS.test(text)) return false;
    at = DEBRIS.lastIndex;
  }
  return true;
}

/** The text inside a code fence, if the fence is the whole text. */
function insideFence(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```")) return undefined;
  const lineEnd = trimmed.indexOf("\n");
  const info = trimmed.slice(3, lineEnd === -1 ? 3 : lineEnd).trim();
  if (lineEnd === -1 || !/^[\w-]{0,20}$/.test(info)) return undefined;
  return trimmed.endsWith("```") ? trimmed.slice(lineEnd + 1, -3).trim() : undefined;
}

function repairObject(
  source: Source,
  node: JsonNode & { readonly kind: "object" },
  schema: SchemaNode,
  tool: string,
): Repaired | undefined {
  const change = repairValue(source, node, schema, "$");
  if (change !== undefined) return { text: applyEdits(source.text, change.edits), repairs: change.repairs };
  const inner = wrapped(source.text, node, schema, tool);
  if (inner === undefined) return undefined;
  const checked = check({ ...source, text: inner }, schema, tool);
  if (checked.kind === "invalid") return undefined;
  const repairs = checked.kind === "repaired" ? checked.repairs : [];
  return { text: checked.text, repairs: [{ class: "wrapper", path: "$" }, ...repairs] };
}

/** The arguments inside `{"arguments": …}`, or inside a whole call with the name of this tool. */
function wrapped(
  text: string,
  { members, hasDuplicates }: JsonNode & { readonly kind: "object" },
  { properties }: SchemaNode,
  tool: string,
): string | undefined {
  const others = members.filter(({ key }) => !WRAPPERS.some((name) => name === key));
  const [wrapper, second] = members.filter(({ key }) => WRAPPERS.some((name) => name === key));
  if (wrapper === undefined || second !== undefined || hasDuplicates || properties.has(wrapper.key)) return undefined;
  const isOwnName = others.every(({ key, value }) => key === "name" && value.kind === "string" && value.value === tool);
  if (!isOwnName || (others.length > 0 && properties.has("name"))) return undefined;
  const { value } = wrapper;
  if (value.kind === "string") return value.value;
  return value.kind === "object" ? text.slice(value.start, value.end) : undefined;
}
