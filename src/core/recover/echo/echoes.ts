import type { JsonObject } from "../../model/tool-call.ts";
import type { ContextText } from "../types.ts";
import type { Budget } from "./budget.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { isIdentical, likenessOf } from "./compare.ts";
import { type GivenText, prepareText, type ReadAll } from "./given-text.ts";
import { joinNeighbors } from "./join-neighbors.ts";
import { isInRegion } from "./nearby.ts";
import { squeeze } from "./squeeze.ts";

/** What makes a candidate a repetition of something that the model was given. */
export interface Echo {
  /** Who said it. */
  readonly role: "user" | "system" | "tool";
  /**
   * `same-call`: the same tool with the same arguments. `same-value`: one same command, URL or long text. `same-text`: the text of the candidate.
   * `identical-example`: exactly this call, in a system text. `unchecked`: too many candidates, or too much that was given.
   */
  readonly kind: "same-call" | "same-value" | "same-text" | "identical-example" | "unchecked";
}

/** About half a second of comparing, for all candidates of one text. */
const MAX_WORK = 500_000_000;
/** A shorter command is a word that occurs anywhere. */
const MIN_STRICT_COMMAND_CHARS = 4;

type Role = Echo["role"];

interface Given {
  /** Untrusted texts. */
  readonly texts: readonly (GivenText & { readonly role: Role })[];
  readonly systemTexts: readonly GivenText[];
}

/** Texts that were prepared, for the next scanner that is given the same objects. Only frozen ones, and whoever freezes them uses one set of tools. */
const PREPARED = new WeakMap<ContextText, GivenText>();

/** What the model was given, prepared when the first candidate asks. */
export class Echoes {
  private given: Given | undefined;
  private readonly context: readonly (string | ContextText)[];
  private readonly readAll: ReadAll;
  private readonly strictCommands: boolean;
  private readonly budget: Budget = { left: MAX_WORK };

  constructor(context: readonly (string | ContextText)[], readAll: ReadAll, strictCommands = false) {
    this.context = context;
    this.readAll = readAll;
    this.strictCommands = strictCommands;
  }

  /** What one of these calls, or the text they are written in, repeats. */
  find(calls: readonly { readonly name: string; readonly args: JsonObject }[], raw: string): Echo | undefined {
    if (this.context.length === 0) return undefined;
    this.given ??= prepare(this.context, this.readAll);
    const facts = calls.map(({ name, args }) => factsOf(name, args));
    const squeezed = squeeze(raw);
    const echo = this.findUntrusted(facts, squeezed) ?? this.findExample(facts, squeezed);
    return this.budget.left < 0 ? { role: echo?.role ?? "tool", kind: "unchecked" } : echo;
  }

  private findUntrusted(calls: readonly CallFacts[], raw: string): Echo | undefined {
    const { budget } = this;
    for (const { role, calls: given, views, regions } of this.given?.texts ?? []) {
      for (const call of calls) {
        for (const other of given) {
          budget.left -= 20;
          const kind = likenessOf(call, other, budget);
          if (kind !== undefined) return { role, kind };
        }
        if (this.strictCommands && isPlainText(call, views)) return { role, kind: "same-value" };
        if (regions.some((region) => isInRegion(region, call, budget))) return { role, kind: "same-text" };
      }
      if (this.includes(views, raw)) return { role, kind: "same-text" };
    }
    return undefined;
  }

  /** A system text shows the format: only the call itself is a repetition of it. */
  private findExample(calls: readonly CallFacts[], raw: string): Echo | undefined {
    for (const { calls: given, views } of this.given?.systemTexts ?? []) {
      const isExample = calls.some((call) => given.some((other) => isIdentical(call, other)));
      if (isExample || this.includes(views, raw)) return { role: "system", kind: "identical-example" };
    }
    return undefined;
  }

  private includes(views: readonly string[], text: string): boolean {
    if (text === "") return false;
    return views.some((view) => {
      this.budget.left -= view.length >> 1;
      return view.includes(text);
    });
  }
}

function isPlainText({ values }: CallFacts, views: readonly string[]): boolean {
  return values.some(
    ({ kind, text }) =>
      kind === "command" && text.length >= MIN_STRICT_COMMAND_CHARS && views.some((view) => view.includes(text)),
  );
}

function prepare(context: readonly (string | ContextText)[], readAll: ReadAll): Given {
  const texts: (GivenText & { readonly role: Role })[] = [];
  const systemTexts: GivenText[] = [];
  const neighbors: string[] = [];
  for (const one of context) {
    const { role, text } = typeof one === "string" ? { role: "tool" as const, text: one } : one;
    // What the model wrote itself is no quotation.
    if (role === "assistant") continue;
    const prepared = typeof one === "string" ? prepareText(text, readAll) : preparedOnce(one, readAll);
    if (role === "system") systemTexts.push(prepared);
    else {
      texts.push({ ...prepared, role });
      neighbors.push(text);
    }
  }
  for (const joined of joinNeighbors(neighbors)) texts.push({ ...prepareText(joined, readAll), role: "tool" });
  return { texts, systemTexts };
}

function preparedOnce(text: ContextText, readAll: ReadAll): GivenText {
  const known = PREPARED.get(text);
  if (known !== undefined) return known;
  const prepared = prepareText(text.text, readAll);
  if (Object.isFrozen(text)) PREPARED.set(text, prepared);
  return prepared;
}
