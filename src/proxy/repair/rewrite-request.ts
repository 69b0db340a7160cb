import { cleanHistory, insertCalls } from "../../core/repair/index.ts";
import type { Api } from "../../core/wire/index.ts";
import { isObject, objects, parseJson, text } from "../../core/wire/json.ts";
import { decodeBody } from "../body/body-decoder.ts";
import type { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import type { RepairControl } from "./repair-control.ts";
import { looksLikeRepairId } from "./repair-ids.ts";

export interface RewriteOptions {
  readonly api: Api;
  readonly upstream: string;
  readonly encoding: string | undefined;
  readonly control: RepairControl;
  readonly serverState: PendingRepairedCalls;
  /** Looks for calls that other servers mended; absent where there are none. */
  readonly lookUp?: (ids: readonly string[]) => Promise<void>;
}

/** Must a request be held at all? Only its body can tell for certain. */
export function mayRewrite({ api, upstream, control, serverState, lookUp }: RewriteOptions): boolean {
  if (control.mayCleanHistory(upstream)) return true;
  return api === "responses" && (!serverState.isEmpty || (lookUp !== undefined && control.couldRewrite(upstream)));
}

type Rewritten = Buffer | undefined;

/**
 * A changed request, where it must be: with the calls that the provider's copy of a conversation does not have, and without the leaks of its
 * history. A compressed one leaves decoded. Later only where another server may have mended what it answers.
 */
export function rewriteRequest(body: Buffer, options: RewriteOptions): Rewritten | Promise<Rewritten> {
  const { api, encoding, lookUp } = options;
  const plain = encoding === undefined ? body : decodeBody(encoding, body);
  if (plain === undefined) return undefined;
  const answers = api === "responses" && plain.includes(OUTPUT);
  const mayLack = answers && lookUp !== undefined && HELD.some((name) => plain.includes(name));
  const unknown = mayLack ? unknownOutputs(plain, options) : [];
  if (unknown.length === 0 || lookUp === undefined) return rewritten(plain, answers, options);
  return lookUp(unknown).then(() => rewritten(plain, answers, options));
}

const OUTPUT = "function_call_output";
const HELD = ["previous_response_id", '"conversation"'];
/** A request answers a few calls; one that answers this many was made to keep us busy. */
const MAX_LOOKUPS = 128;

/** Outputs for calls that look like ours, and that this server did not mend. */
function unknownOutputs(plain: Buffer, { serverState }: RewriteOptions): readonly string[] {
  const body = parseJson(plain.toString("utf8"));
  if (!isObject(body) || !Array.isArray(body.input)) return [];
  if ((body.previous_response_id ?? body.conversation ?? undefined) === undefined) return [];
  const items = objects(body.input);
  const there = new Set(items.flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])));
  const ids = items.flatMap((item) => (item.type === OUTPUT ? [text(item.call_id) ?? ""] : []));
  const unknown = ids.filter((id) => looksLikeRepairId(id) && !there.has(id) && serverState.find(id) === undefined);
  return [...new Set(unknown)].slice(0, MAX_LOOKUPS);
}

function rewritten(plain: Buffer, answers: boolean, options: RewriteOptions): Rewritten {
  const { upstream, control, serverState } = options;
  const inserts = answers && !serverState.isEmpty;
  if (!inserts && !control.mayCleanHistory(upstream)) return undefined;
  const source = wholeText(plain);
  if (source === undefined) return undefined;
  const whole = inserts ? insertCalls(source, (id) => serverState.find(id)) : undefined;
  const cleaned = cleanedText(whole ?? source, options) ?? whole;
  return cleaned === undefined ? undefined : Buffer.from(cleaned);
}

function cleanedText(source: string, { api, upstream, control }: RewriteOptions): string | undefined {
  if (!control.mayCleanHistory(upstream)) return undefined;
  const parsed = parseJson(source);
  const model = isObject(parsed) ? (text(parsed.model) ?? "") : "";
  const settings = control.settingsFor(upstream, model);
  if (settings.mode !== "known" && settings.mode !== "any") return undefined;
  return cleanHistory(api, source, settings)?.text;
}

/** Bytes that are no text would not come out as they went in. */
function wholeText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
