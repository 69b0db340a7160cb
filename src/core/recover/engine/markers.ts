import type { Text } from "../../text/cursor.ts";
import type { Token } from "../lex/token.ts";

/** Tags of thinking. */
const THINK_TAGS: readonly string[] = [
  ...[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "scratchpad",
    "scratch_pad",
    "analysis",
    "reflection",
    "rationale",
  ],
  ...["inner_monologue", "inner_thoughts", "thought_process", "antthinking", "monologue"],
];

/** Tokens that open thinking, and the tokens that close it. */
const THINK: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...THINK_TAGS.map((tag) => [tag, [tag]] as const),
  ["|start_thinking|", ["|end_thinking|"]],
  ["|thought_start|", ["|thought_end|"]],
  ["|begin_of_thought|", ["|end_of_thought|"]],
  ["|begin_thinking|", ["|end_thinking|"]],
  ["|thinking|", ["|/thinking|", "|end_thinking|"]],
  ["|think|", ["|/think|", "|end_think|"]],
  ["|think_start|", ["|think_end|"]],
  ["unused94", ["unused95"]],
  ["|content_thinking|", ["|end_message|", "|content_text|", "|content_invoke_tool_json|", "|message_model|"]],
  ["|channel", ["channel|"]],
]);

/** Thinking that is marked without tags: opener and closer. */
export const THINK_MARKS: ReadonlyMap<string, string> = new Map([
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
]);
export const THINK_ENDS: readonly string[] = [...THINK_MARKS.values()];

/** Tags around a whole response. Behind a call their closers are not visible text. */
export const RESPONSE_TAGS: ReadonlySet<string> = new Set([
  "answer",
  "final_answer",
  "response",
  "output",
  "assistant",
]);

/** Tags of tool results. A model that writes one has begun to invent results. */
const RESULTS: ReadonlySet<string> = new Set([
  ...["tool_response", "tool_result", "tool_results", "tool_output", "function_results", "function_result"],
  ...["function_response", "|observation|", "|tool_response|", "|user|"],
]);

export const RESULT_MARKS: readonly string[] = ["[TOOL_RESULTS]", "✿RESULT✿", "]~b]user", "]~b]tool"];
export const RESULT_LINES: readonly string[] = ["Observation:", "Human:", "User:", "Tool result:", "Tool Result:"];

/** Tokens that end a turn or open one. What follows them begins like a line. */
const FRAMES: ReadonlySet<string> = new Set([
  ...["|im_end|", "|eot_id|", "|eom_id|", "|endoftext|", "|end_of_text|", "|end_of_turn|", "|end_of_sentence|"],
  ...["|assistant|", "|end_header_id|", "|im_assistant|", "|im_middle|", "end_of_turn", "|end_of_turn_token|"],
  ...["|message|", "|content_text|", "|end_message|", "ctrl42", "ctrl46"],
]);
/** The same in MiniMax, which marks turns without tags. */
export const FRAME_MARKS: readonly string[] = ["]~b]ai", "[e~["];
/** The same in Kimi K3, as tags in special tokens. */
const XTML_FRAMES: ReadonlySet<string> = new Set(["message", "response"]);

/** The end of the frame that begins with this token, with the model's role if it names one. */
export function frameEnd(token: Token, source: Text): number | undefined {
  if (FRAMES.has(token.key) || (token.skin === "xtml" && XTML_FRAMES.has(token.key))) return token.end;
  if (!TURNS.has(token.key) || token.key === "|start|") return undefined;
  const role = source.skipWhile(token.end, TURN_HEAD, (c) => c >= 97 && c <= 122);
  return /^(?:assistant|model)$/.test(source.text.slice(token.end, role)) ? role : undefined;
}

/** Keys that the scanner must handle in addition to the openers. */
export const WATCHED_KEYS: readonly string[] = [
  ...THINK.keys(),
  ...RESULTS,
  ...FRAMES,
  ...RESPONSE_TAGS,
  "|im_start|",
  "|start_header_id|",
  "start_of_turn",
];

export function thinkClosers(token: Token): readonly string[] | undefined {
  return token.close ? undefined : THINK.get(token.key);
}

/** Whether a tag closes a thinking block. Some templates open the block themselves, so the text before is thinking. */
export function endsThinking(token: Token): boolean {
  return token.close && THINK.has(token.key);
}

/** Whether the model begins an invented result or a turn of the user here. */
export function isSimulatedResult(token: Token, source: Text): boolean {
  if (RESULTS.has(token.key)) return !token.close;
  if (!TURNS.has(token.key)) return false;
  // Waits until the role is in the text.
  source.skipWhile(token.end, TURN_HEAD, () => true);
  return ROLE.test(source.text.slice(token.end, token.end + TURN_HEAD));
}

const ROLE = /^\s{0,2}(?:user|tool|ipython|human|observation|system|developer|functions\.)/;
/** Tokens that open a turn, followed by the role. */
const TURNS: ReadonlySet<string> = new Set(["|im_start|", "|start_header_id|", "start_of_turn", "|start|"]);
const TURN_HEAD = 16;

/** Muse Glimmer's message to itself, without the opening token, which the template already wrote. */
export const SELF = "to=self<|message|>";
