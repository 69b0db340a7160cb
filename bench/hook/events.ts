import { createRandom, type Random } from "../frame/random.ts";

/** The events of one generated agent: calls, in turns, in sessions. */
export const CALLS_PER_TURN = 10;
const WORDS =
  "const value return import list index page result query name total config update render table state".split(" ");

/**
 * One event, in the client's order: after each call its own event and the batch's, after ten calls the end of the turn.
 */
export interface HookEvents {
  readonly count: number;
  readonly calls: number;
  readonly failed: number;
  body(at: number): string;
}

const PER_TURN = 2 * CALLS_PER_TURN + 1;

/** Generates whole turns, the same for the same seed. Every tenth call fails. */
export function createEvents(turns: number, seed: number, name: string): HookEvents {
  const random = createRandom(seed);
  const texts = Array.from({ length: 64 }, () => prose(random, 200 + Math.floor(1200 * random() ** 2)));
  const body = (at: number): string => {
    const [turn, step] = [Math.floor(at / PER_TURN), at % PER_TURN];
    const session = `${name}-${turn % 50}`;
    const base = {
      session_id: session,
      transcript_path: `/nowhere/.claude/projects/-work/${session}.jsonl`,
      cwd: "/srv/project",
      prompt_id: `${name}-prompt-${turn}`,
      permission_mode: "default",
    };
    if (step === PER_TURN - 1) return JSON.stringify({ ...base, hook_event_name: "Stop", stop_hook_active: false });
    const call = Math.floor(step / 2);
    const text = texts[(turn * 7 + call) % texts.length] as string;
    const callFields = {
      tool_name: "Bash",
      tool_input: { command: `npm test -- --grep ${text.slice(0, 20)}`, description: "Run the tests" },
      tool_use_id: `toolu_${name}${turn}x${call}abcdefgh`,
    };
    const failed = call === 9;
    if (step % 2 === 1) {
      const withResponse = { ...callFields, tool_response: failed ? `Exit code 1\n${text}` : text };
      return JSON.stringify({ ...base, hook_event_name: "PostToolBatch", tool_calls: [withResponse] });
    }
    if (failed) {
      const failure = { error: `Exit code 1\n${text}`, is_interrupt: false, duration_ms: 31 };
      return JSON.stringify({ ...base, hook_event_name: "PostToolUseFailure", ...callFields, ...failure });
    }
    const response = { stdout: text, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    return JSON.stringify({
      ...base,
      hook_event_name: "PostToolUse",
      ...callFields,
      tool_response: response,
      duration_ms: 12,
    });
  };
  return { count: turns * PER_TURN, calls: turns * CALLS_PER_TURN, failed: turns, body };
}

function prose(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text;
}
