import type { Budget } from "./budget.ts";
import type { CallFacts, TellingValue } from "./call-facts.ts";
import { isSimilar } from "./similarity.ts";

/** How a call repeats one that was given. */
export type Likeness = "same-call" | "same-value";

/** Arguments that were added or left out. */
const MAX_EXTRA_ARGUMENTS = 2;
/** A shorter command is common property: another tool may be asked for it without a quotation. */
const MIN_COMMAND_OF_OTHER_TOOL = 12;
/** A command this long makes every longer one that contains it a repetition. */
const MIN_CONTAINED_COMMAND = 16;

/**
 * How a call repeats a given one: the same tool with the same arguments, also with a few more; or with one same command, URL or long text,
 * whatever the rest says. Numbers, words, ids and paths alone do not make a repetition.
 */
export function likenessOf(call: CallFacts, given: CallFacts, budget: Budget): Likeness | undefined {
  if (call.tool === given.tool && hasSameArguments(call.args, given.args)) return "same-call";
  const isSame = call.tool === given.tool ? isSameValue : isCommandOfOtherTool;
  const isShared = call.values.some((value) => given.values.some((other) => isSame(value, other, budget)));
  return isShared ? "same-value" : undefined;
}

/** Is it exactly the given call? */
export function isIdentical(call: CallFacts, given: CallFacts): boolean {
  if (call.tool !== given.tool || call.args.size !== given.args.size) return false;
  return [...call.args].every(([key, value]) => given.args.get(key) === value);
}

function hasSameArguments(args: CallFacts["args"], given: CallFacts["args"]): boolean {
  const [few, many] = args.size <= given.size ? [args, given] : [given, args];
  // A call without arguments says nothing but its tool: one more is the same call, none instead of one is another.
  if (few.size === 0) return many.size === 0 || (many === args && many.size === 1);
  if (many.size - few.size > MAX_EXTRA_ARGUMENTS) return false;
  return [...few].every(([key, value]) => many.get(key) === value);
}

function isSameValue(value: TellingValue, given: TellingValue, budget: Budget): boolean {
  if (isSimilar(value.text, given.text, budget)) return true;
  return value.kind === "command" && containsCommand(value.text, given.text);
}

function isCommandOfOtherTool(value: TellingValue, given: TellingValue, budget: Budget): boolean {
  if (value.kind !== "command" || given.text.length < MIN_COMMAND_OF_OTHER_TOOL) return false;
  return isSimilar(value.text, given.text, budget) || containsCommand(value.text, given.text);
}

/** The given command with something before or behind it. */
function containsCommand(command: string, given: string): boolean {
  return given.length >= MIN_CONTAINED_COMMAND && command.includes(given);
}
