import { canonicalJson } from "../json/canonical.ts";
import type { JudgedCall } from "./gate.ts";

/** Reads the calls out of a text without judging them: echoes are found with the same eyes as calls. */
export type ReadAll = (text: string) => readonly { readonly name: string; readonly arguments: JudgedCall["args"] }[];

/**
 * Texts that were prepared, for the next scanner that is given the very same list: a history has many texts of the model. Only lists that are
 * frozen: another might have grown meanwhile, and a quotation would be missed. Who freezes one uses it with one set of tools.
 */
const PREPARED = new WeakMap<readonly string[], Prepared>();

interface Prepared {
  readonly calls: ReadonlySet<string>;
  readonly texts: readonly string[];
}

/** What the model was given, prepared when the first candidate asks. */
export class Echoes {
  private prepared: Prepared | undefined;
  private readonly context: readonly string[];
  private readonly readAll: ReadAll;

  constructor(context: readonly string[], readAll: ReadAll) {
    this.context = context;
    this.readAll = readAll;
  }

  /** Does one of these calls, or the text they are written in, stand in what the model was given? */
  has(calls: readonly JudgedCall[], raw: string): boolean {
    const { context } = this;
    if (context.length === 0) return false;
    this.prepared ??= PREPARED.get(context) ?? this.prepare(context);
    const { prepared } = this;
    if (calls.some((call) => prepared.calls.has(signature(call.name, call.args)))) return true;
    const squeezed = squeeze(raw);
    return prepared.texts.some((text) => text.includes(squeezed));
  }

  private prepare(context: readonly string[]): Prepared {
    const found = new Set<string>();
    for (const text of context) {
      const unquoted =
        text.includes("\n>") || text.startsWith(">") ? [text, text.replace(/^[ \t]{0,8}>[ \t]?/gm, "")] : [text];
      for (const one of unquoted) for (const call of this.readAll(one)) found.add(signature(call.name, call.arguments));
    }
    const prepared = { calls: found, texts: context.map(squeeze) };
    if (Object.isFrozen(context)) PREPARED.set(context, prepared);
    return prepared;
  }
}

function signature(name: string, args: JudgedCall["args"]): string {
  return `${name} ${canonicalJson(args).replace(/\s+/g, "")}`;
}

/** Text without what quoting, indenting, escaping and re-encoding change. */
function squeeze(text: string): string {
  return text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&lt;/g, "<")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\\+[nrt]/g, "")
    .replace(/&gt;|[\s\\"'`>*]+/g, "");
}
