import { cleanHistory } from "../core/mend/index.ts";
import type { Api } from "../core/wire/index.ts";
import { isObject, parseJson, text } from "../core/wire/json.ts";
import { decodeBody } from "./body-decoder.ts";
import type { RepairControl } from "./repair-control.ts";

export interface RewriteOptions {
  readonly api: Api;
  readonly upstream: string;
  readonly encoding: string | undefined;
  readonly control: RepairControl;
}

/** A changed request, where the settings want one: without the leaks of its history. A compressed one leaves decoded. */
export function rewriteRequest(body: Buffer, { api, upstream, encoding, control }: RewriteOptions): Buffer | undefined {
  const plain = encoding === undefined ? body : decodeBody(encoding, body);
  // Most histories hold no leak, and none is worth more than that its bytes come out as they went in.
  const source = plain === undefined ? undefined : wholeText(plain);
  if (source === undefined) return undefined;
  const parsed = parseJson(source);
  const model = isObject(parsed) ? (text(parsed.model) ?? "") : "";
  const settings = control.settingsFor(upstream, model);
  if (settings.mode !== "known" && settings.mode !== "any") return undefined;
  const cleaned = cleanHistory(api, source, settings);
  return cleaned && Buffer.from(cleaned.text);
}

function wholeText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
