import type { Token } from "../lex/token.ts";

/** Tokens that open thinking, and what closes it. */
const THINK: ReadonlyMap<string, readonly string[]> = new Map([
  ["think", ["think"]],
  ["thinking", ["thinking"]],
  ["thought", ["thought"]],
  ["reasoning", ["reasoning"]],
  ["thoughts", ["thoughts"]],
  ["scratchpad", ["scratchpad"]],
  ["analysis", ["analysis"]],
  ["reflection", ["reflection"]],
  ["rationale", ["rationale"]],
  ["inner_monologue", ["inner_monologue"]],
  ["inner_thoughts", ["inner_thoughts"]],
  ["|start_thinking|", ["|end_thinking|"]],
  ["|content_thinking|", ["|end_message|", "|content_text|", "|content_invoke_tool_json|", "|message_model|"]],
  ["|channel", ["channel|"]],
]);

/** Thinking that is marked without tags: opener and closer. */
export const THINK_MARKS: ReadonlyMap<string, string> = new Map([
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
]);
export const THINK_ENDS: readonly string[] = [...THINK_MARKS.values()];

/** What ends Harmony's analysis: the next message, or the end of this one. */
export const HARMONY_ENDS: readonly string[] = ["|end|", "|call|", "|return|", "|start|", "|channel|"];

/** What ends a message to oneself. */
export const SELF_ENDS: readonly string[] = ["|eom|", "|eot|", "|start|"];

/** From one of these on the model plays the other side: its own invented results. */
const RESULTS: ReadonlySet<string> = new Set([
  "tool_response",
  "tool_result",
  "tool_results",
  "tool_output",
  "function_results",
  "function_result",
  "function_response",
  "|observation|",
  "|tool_response|",
  "|user|",
]);

export const RESULT_MARKS: readonly string[] = ["[TOOL_RESULTS]", "✿RESULT✿"];
export const RESULT_LINES: readonly string[] = ["Observation:", "Human:", "User:", "Tool result:", "Tool Result:"];

/** Keys the scanner must look at besides the openers. */
export const WATCHED_KEYS: readonly string[] = [
  ...THINK.keys(),
  ...RESULTS,
  ...HARMONY_ENDS,
  ...SELF_ENDS,
  "|im_start|",
  "|start_header_id|",
  "start_of_turn",
];

export function thinkClosers(token: Token): readonly string[] | undefined {
  return token.close ? undefined : THINK.get(token.key);
}

/** Whether a tag ends thinking that some templates open by themselves: what stands before it are thoughts. */
export function endsThinking(token: Token): boolean {
  return token.close && THINK.has(token.key);
}

/** A result the model made up, or a turn of the user. */
export function isSimulatedResult(token: Token, text: string): boolean {
  if (RESULTS.has(token.key)) return !token.close;
  if (!TURNS.has(token.key)) return false;
  return /^\s{0,2}(?:user|tool|ipython|human|observation|system|developer|functions\.)/.test(
    text.slice(token.end, token.end + TURN_HEAD),
  );
}

/** Is the role of the turn that opens here still to come? */
export function needsRole(token: Token, text: string): boolean {
  return TURNS.has(token.key) && text.length - token.end < TURN_HEAD;
}

/** Tokens that open a turn; the role follows. */
const TURNS: ReadonlySet<string> = new Set(["|im_start|", "|start_header_id|", "start_of_turn", "|start|"]);
const TURN_HEAD = 16;
