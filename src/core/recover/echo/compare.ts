import type { CallFacts, IdentifyingValue } from "./call-facts.ts";
import { isSimilar } from "./similarity.ts";
import type { Budget } from "./windows.ts";

/** How a call repeats a given one. */
export type CallMatch = "same-call" | "same-value";

/** How many arguments may have been added or left out. */
const MAX_EXTRA_ARGUMENTS = 2;
/** A shorter command is so common that another tool may run it without repeating a given call. */
const MIN_COMMAND_OF_OTHER_TOOL = 12;
/** A longer command that contains one of this length repeats it. */
const MIN_CONTAINED_COMMAND = 16;

/**
 * Returns how a call repeats a given one: the same tool with the same arguments, or a few more; or one shared command,
 * URL or long text, regardless of the other arguments. Shared numbers, words, ids and paths are not enough.
 */
export function matchCalls(call: CallFacts, given: CallFacts, budget: Budget): CallMatch | undefined {
  const isComparable = given.isParenthesized !== true || call.args.size === 0 || call.isParenthesized === true;
  if (call.tool === given.tool && isComparable && hasSameArguments(call.args, given.args)) return "same-call";
  const isSame = call.tool === given.tool ? isSameValue : isCommandOfOtherTool;
  const isShared = call.values.some((value) => given.values.some((other) => isSame(value, other, budget)));
  return isShared ? "same-value" : undefined;
}

/** Whether two calls are exactly the same. */
export function isIdentical(call: CallFacts, given: CallFacts): boolean {
  if (call.tool !== given.tool || call.args.size !== given.args.size) return false;
  return [...call.args].every(([key, value]) => given.args.get(key) === value);
}

function hasSameArguments(args: CallFacts["args"], given: CallFacts["args"]): boolean {
  const [few, many] = args.size <= given.size ? [args, given] : [given, args];
  // With no given arguments, only the tool can be compared: one added argument still repeats the call, but a call that
  // drops its only argument is a different one.
  if (few.size === 0) return many.size === 0 || (many === args && many.size === 1);
  if (many.size - few.size > MAX_EXTRA_ARGUMENTS) return false;
  return [...few].every(([key, value]) => many.get(key) === value);
}

function isSameValue(value: IdentifyingValue, given: IdentifyingValue, budget: Budget): boolean {
  if (isSimilar(value.text, given.text, budget)) return true;
  return value.kind === "command" && containsCommand(value.text, given.text);
}

function isCommandOfOtherTool(value: IdentifyingValue, given: IdentifyingValue, budget: Budget): boolean {
  if (value.kind !== "command" || given.text.length < MIN_COMMAND_OF_OTHER_TOOL) return false;
  return isSimilar(value.text, given.text, budget) || containsCommand(value.text, given.text);
}

/** Whether a command is the given one with something before or after it. */
function containsCommand(command: string, given: string): boolean {
  return given.length >= MIN_CONTAINED_COMMAND && command.includes(given);
}
