import { cleanHistory, insertCalls, repairHistoryArguments, type StoredCall } from "../../core/repair/index.ts";
import { type Api, isCleanable } from "../../core/wire/index.ts";
import { isObject, objects, parseJsonBody, text } from "../../core/wire/json.ts";
import { decodeBody } from "../body/body-decoder.ts";
import { decodeStrict } from "../body/decode-strict.ts";
import type { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import type { RepairControl } from "./repair-control.ts";
import { looksLikeRepairId } from "./repair-ids.ts";

export interface RewriteOptions {
  readonly api: Api;
  readonly upstream: string;
  /** The model, if the path names it. */
  readonly model?: string | undefined;
  readonly encoding: string | undefined;
  readonly control: RepairControl;
  readonly pendingCalls: PendingRepairedCalls;
  /** Looks up calls that other servers repaired. Absent without a shared store. */
  readonly lookUp?: (ids: readonly string[]) => Promise<void>;
  /** Called with the id of each call that was put back. */
  readonly onInserted?: (id: string) => void;
}

/** Whether a request may need rewriting and must be buffered. Only its body shows whether it does. */
export function couldRewriteRequest({ api, upstream, control, pendingCalls, lookUp }: RewriteOptions): boolean {
  if (isCleanable(api) && control.couldCleanHistory(upstream)) return true;
  return api === "responses" && (!pendingCalls.isEmpty || (lookUp !== undefined && control.couldRewrite(upstream)));
}

type NewBody = Buffer | undefined;

/**
 * Adds the calls that the provider's stored conversation does not contain, and removes leaks and unreadable arguments
 * from the history. Returns undefined if nothing changes. A compressed request is sent uncompressed. Asynchronous only
 * if another server may have repaired one of its calls.
 */
export function rewriteRequest(body: Buffer, options: RewriteOptions): NewBody | Promise<NewBody> {
  const { api, encoding, lookUp } = options;
  const plain = encoding === undefined ? body : decodeBody(encoding, body);
  if (plain === undefined) return undefined;
  const hasOutputs = api === "responses" && plain.includes(OUTPUT);
  const usesStoredConversation =
    hasOutputs && lookUp !== undefined && STORED_CONVERSATION_FIELDS.some((name) => plain.includes(name));
  const unknown = usesStoredConversation ? unknownOutputs(plain, options) : [];
  if (unknown.length === 0 || lookUp === undefined) return rewriteText(plain, hasOutputs, options);
  return lookUp(unknown).then(() => rewriteText(plain, hasOutputs, options));
}

const OUTPUT = "function_call_output";
const STORED_CONVERSATION_FIELDS = ["previous_response_id", '"conversation"'];
/** A request has results of a few calls. More ids than this are an attempt to overload the store. */
const MAX_LOOKUPS = 128;

/** Returns the ids of outputs whose call has a repair id but was not repaired by this server. */
function unknownOutputs(plain: Buffer, { pendingCalls }: RewriteOptions): readonly string[] {
  const body = parseJsonBody(plain.toString("utf8"));
  if (!isObject(body) || !Array.isArray(body.input)) return [];
  if ((body.previous_response_id ?? body.conversation ?? undefined) === undefined) return [];
  const items = objects(body.input);
  const presentIds = new Set(items.flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])));
  const ids = items.flatMap((item) => (item.type === OUTPUT ? [text(item.call_id) ?? ""] : []));
  const unknown = ids.filter(
    (id) => looksLikeRepairId(id) && !presentIds.has(id) && pendingCalls.find(id) === undefined,
  );
  return [...new Set(unknown)].slice(0, MAX_LOOKUPS);
}

function rewriteText(plain: Buffer, hasOutputs: boolean, options: RewriteOptions): NewBody {
  const { upstream, control, pendingCalls, onInserted } = options;
  const find = (id: string): StoredCall | undefined => {
    const call = pendingCalls.find(id);
    if (call !== undefined) onInserted?.(id);
    return call;
  };
  const inserts = hasOutputs && !pendingCalls.isEmpty;
  if (!inserts && !control.couldCleanHistory(upstream)) return undefined;
  const source = decodeStrict(plain);
  if (source === undefined) return undefined;
  const completed = inserts ? insertCalls(source, find) : undefined;
  const cleaned = cleanText(completed ?? source, options) ?? completed;
  return cleaned === undefined ? undefined : Buffer.from(cleaned);
}

function cleanText(source: string, { api, upstream, model: named, control }: RewriteOptions): string | undefined {
  if (!control.couldCleanHistory(upstream)) return undefined;
  const parsed = parseJsonBody(source);
  const model = (isObject(parsed) ? text(parsed.model) : undefined) ?? named ?? "";
  const settings = control.settingsFor(upstream, model);
  const repaired = settings.calls?.mode === "on" ? repairHistoryArguments(api, source) : undefined;
  if (settings.mode !== "known" && settings.mode !== "any") return repaired;
  return cleanHistory(api, repaired ?? source, settings)?.text ?? repaired;
}
