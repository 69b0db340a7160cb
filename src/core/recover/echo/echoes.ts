import type { JsonObject } from "../../model/tool-call.ts";
import type { ContextText } from "../types.ts";
import { type Budget, type CallFacts, factsOf } from "./call-facts.ts";
import { squeeze } from "./characters.ts";
import { isIdentical, matchCalls } from "./compare.ts";
import { type Given, GivenSeam, GivenText } from "./given-text.ts";
import { type PartContent, type ReadAll, readPart } from "./read-part.ts";
import { type Search, searchFor } from "./search.ts";
import { type CallPattern, callPattern, isUnreadCall } from "./unread-call.ts";

/** Why a candidate repeats something that the model was given. */
export interface Echo {
  /** The role of the repeated text. */
  readonly role: "user" | "system" | "tool";
  /**
   * `same-call`: the same tool with the same arguments. `same-value`: a shared command, URL or long text. `same-text`:
   * the candidate's text. `identical-example`: exactly this call in a system text. `unchecked`: comparing all
   * candidates with all given texts would take too long.
   */
  readonly kind: "same-call" | "same-value" | "same-text" | "identical-example" | "unchecked";
}

/** About 1 second, for all candidates that are compared with one list of texts. */
const MAX_BUDGET = 1_500_000_000;
/** Cost of parsing one character of a view, in units of the budget. */
const PARSING_COST = 150;
/** How much of a candidate's text is searched for in one piece: a given part may be shorter than the candidate. */
const MAX_RAW_CHARS = 1500;
/** Cost of comparing with a parsed part, in units of the budget. */
const COMPARING_COST = 3000;
/** A shorter command is a common word. */
const MIN_STRICT_COMMAND_CHARS = 4;

type Role = Echo["role"];

interface GivenEntry {
  readonly role: Role;
  readonly given: Given;
}

/** A call of a candidate, prepared for every way of finding it. */
interface WantedCall {
  readonly facts: CallFacts;
  readonly search: Search;
  readonly pattern: CallPattern;
}

interface Candidate {
  readonly calls: readonly WantedCall[];
  /** The candidate's text, squeezed. For a long text, its beginning and its end. */
  readonly raw: readonly string[];
}

/** A prepared list of given texts, and the remaining budget for it. */
interface Prepared {
  readonly entries: readonly GivenEntry[];
  readonly budget: Budget;
}

// Reused by the next scanner with the same context, because a history contains many messages of the model. Only frozen
// objects are cached, because others may change. A frozen list is always used with the same tools.
const PREPARED = new WeakMap<object, Prepared>();
const PREPARED_TEXTS = new WeakMap<ContextText, GivenText>();

/** Compares candidates with the texts the model was given. The texts are prepared for the first candidate. */
export class Echoes {
  private prepared: Prepared | undefined;
  private readonly context: readonly (string | ContextText)[];
  private readonly readAll: ReadAll;
  private readonly strictCommands: boolean;

  constructor(context: readonly (string | ContextText)[], readAll: ReadAll, strictCommands = false) {
    this.context = context;
    this.readAll = readAll;
    this.strictCommands = strictCommands;
  }

  /** Returns what the calls, or the text they are written in, repeat. */
  find(calls: readonly { readonly name: string; readonly args: JsonObject }[], raw: string): Echo | undefined {
    if (this.context.length === 0) return undefined;
    this.prepared ??= prepareList(this.context);
    const { entries, budget } = this.prepared;
    const wanted = calls.map(({ name, args }): WantedCall => {
      const facts = { ...factsOf(name, args), isParenthesized: raw.trimStart().startsWith(`${name}(`) };
      const search = searchFor(name, facts, args, raw.length, this.strictCommands);
      return { facts, search, pattern: callPattern(facts, args) };
    });
    const candidate = { calls: wanted, raw: endsOf(squeeze(raw)) };
    for (const one of entries) {
      const kind = this.compareGiven(candidate, one, budget);
      if (budget.left < 0) return { role: one.role, kind: "unchecked" };
      if (kind !== undefined) return { role: one.role, kind };
    }
    return undefined;
  }

  private compareGiven(candidate: Candidate, { role, given }: GivenEntry, budget: Budget): Echo["kind"] | undefined {
    for (const { search } of candidate.calls)
      for (const part of given.parts(search, budget)) {
        if (budget.left < 0) return undefined;
        budget.left -= COMPARING_COST;
        const kind = this.comparePart(candidate, role, this.contentOf(part, given, budget), budget);
        if (kind !== undefined) return kind;
      }
    return undefined;
  }

  private contentOf(part: string, { contents }: Given, budget: Budget): PartContent {
    const known = contents.get(part);
    if (known !== undefined) return known;
    const content = readPart(part, this.readAll);
    budget.left -= content.chars * PARSING_COST;
    contents.set(part, content);
    return content;
  }

  private comparePart(
    { calls, raw }: Candidate,
    role: Role,
    content: PartContent,
    budget: Budget,
  ): Echo["kind"] | undefined {
    // A system text demonstrates the format, so only the identical call repeats it.
    if (role === "system") {
      const isExample = calls.some(({ facts }) => content.calls.some((other) => isIdentical(facts, other)));
      return isExample || includesAny(content, raw) ? "identical-example" : undefined;
    }
    for (const { facts } of calls) {
      for (const other of content.calls) {
        const match = matchCalls(facts, other, budget);
        if (match !== undefined) return match;
      }
      if (this.strictCommands && includesAny(content, strictCommandsOf(facts))) return "same-value";
    }
    if (includesAny(content, raw)) return "same-text";
    const isUnread = calls.some(({ pattern }) => content.bareViews.some((view) => isUnreadCall(view, pattern, budget)));
    return isUnread ? "same-call" : undefined;
  }
}

function endsOf(raw: string): readonly string[] {
  if (raw.length <= MAX_RAW_CHARS) return raw === "" ? [] : [raw];
  return [raw.slice(0, MAX_RAW_CHARS), raw.slice(-MAX_RAW_CHARS)];
}

function includesAny({ views }: PartContent, texts: readonly string[]): boolean {
  return views.some((view) => texts.some((text) => view.includes(text)));
}

/** Commands that are echoes even where the given text has them as plain text. */
function strictCommandsOf({ values }: CallFacts): readonly string[] {
  const commands = values.filter(({ kind, text }) => kind === "command" && text.length >= MIN_STRICT_COMMAND_CHARS);
  return commands.map(({ text }) => text);
}

function prepareList(context: readonly (string | ContextText)[]): Prepared {
  const known = PREPARED.get(context);
  if (known !== undefined) return known;
  const prepared = { entries: prepareEntries(context), budget: { left: MAX_BUDGET } };
  if (Object.isFrozen(context)) PREPARED.set(context, prepared);
  return prepared;
}

/** Untrusted texts come first, because their evidence is stronger. */
function prepareEntries(context: readonly (string | ContextText)[]): readonly GivenEntry[] {
  const untrusted: GivenEntry[] = [];
  const system: GivenEntry[] = [];
  const neighbors: { readonly role: Role; readonly text: string }[] = [];
  for (const one of context) {
    const { role, text } = typeof one === "string" ? { role: "tool" as const, text: one } : one;
    // A model that repeats its own text is not quoting.
    if (role === "assistant") continue;
    const entry = { role, given: typeof one === "string" ? new GivenText(text) : prepareOnce(one) };
    if (role === "system") system.push(entry);
    else {
      untrusted.push(entry);
      neighbors.push({ role, text });
    }
  }
  // A user message may come between two results.
  const results = neighbors.filter(({ role }) => role === "tool");
  const lists = results.length === neighbors.length ? [results] : [neighbors, results];
  const seams = lists
    .flatMap((list) => GivenSeam.between(list.map(({ text }) => text)))
    .map((given) => ({ role: "tool" as const, given }));
  return [...untrusted, ...seams, ...system];
}

function prepareOnce(text: ContextText): GivenText {
  const known = PREPARED_TEXTS.get(text);
  if (known !== undefined) return known;
  const prepared = new GivenText(text.text);
  if (Object.isFrozen(text)) PREPARED_TEXTS.set(text, prepared);
  return prepared;
}
