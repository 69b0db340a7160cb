import { cleanHistory, insertCalls } from "../core/mend/index.ts";
import type { Api } from "../core/wire/index.ts";
import { isObject, parseJson, text } from "../core/wire/json.ts";
import { decodeBody } from "./body-decoder.ts";
import type { RepairControl } from "./repair-control.ts";
import type { ServerStateCalls } from "./server-state-calls.ts";

export interface RewriteOptions {
  readonly api: Api;
  readonly upstream: string;
  readonly encoding: string | undefined;
  readonly control: RepairControl;
  readonly serverState: ServerStateCalls;
}

/** Must a request be held at all? Only its body can tell for certain. */
export function mayRewrite({ api, upstream, control, serverState }: RewriteOptions): boolean {
  return control.mayCleanHistory(upstream) || (api === "responses" && !serverState.isEmpty);
}

/**
 * A changed request, where it must be: with the calls that the provider's copy of a conversation does not have, and without the leaks of its
 * history. A compressed one leaves decoded.
 */
export function rewriteRequest(body: Buffer, options: RewriteOptions): Buffer | undefined {
  const { api, encoding, serverState } = options;
  const plain = encoding === undefined ? body : decodeBody(encoding, body);
  const source = plain === undefined ? undefined : wholeText(plain);
  if (source === undefined) return undefined;
  const whole = api === "responses" ? insertCalls(source, (id) => serverState.find(id)) : undefined;
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
