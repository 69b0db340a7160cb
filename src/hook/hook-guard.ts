import { effectOf } from "../core/loop/call-effect.ts";
import { digest } from "../core/loop/digest.ts";
import { canonicalArguments, finishedCall } from "../core/loop/find-loops.ts";
import { type IsIgnored, ignoredBy, LOOP_LEVELS, LoopSignal, MAX_IGNORED_RUN } from "../core/loop/index.ts";
import { type Fields, isFields, textOf } from "./hook-event.ts";

export interface HookGuardOptions {
  /** False while the guard is off. */
  readonly isOn: () => boolean;
  /** Patterns of calls that may repeat. */
  readonly ignore?: readonly string[];
  /** Called when a call is blocked. */
  readonly onBlock?: () => void;
}

interface GuardedThread {
  readonly signal: LoopSignal<number>;
  turns: number;
  /** Ids of calls that were blocked: Toolmend wrote their results. */
  readonly blocked: Set<string>;
}

const MAX_THREADS = 1000;
const MAX_BLOCKED_IDS = 256;

/**
 * Decides before each call of an agent whether it would only repeat what brought nothing new ten times. It counts in
 * memory, from arriving events: it starts empty after a restart, and if in doubt lets the call pass.
 */
export class HookGuard {
  readonly #options: HookGuardOptions;
  readonly #isIgnored: IsIgnored;
  readonly #threads = new Map<string, GuardedThread>();

  constructor(options: HookGuardOptions) {
    this.#options = options;
    this.#isIgnored = ignoredBy(options.ignore ?? []);
  }

  /** Whether any agent sends a request before its calls. Otherwise events need not be read here. */
  get isUsed(): boolean {
    return this.#threads.size > 0;
  }

  /** The response to an event before a call: `{}` lets it pass. */
  answer(body: string): string {
    const payload = parsed(body);
    if (payload === undefined || payload.hook_event_name !== "PreToolUse" || !this.#options.isOn()) return "{}";
    const thread = this.#threadOf(payload);
    const tool = textOf(payload.tool_name) ?? "";
    if (!this.#wouldRepeat(thread, tool, payload.tool_input)) return "{}";
    const id = textOf(payload.tool_use_id);
    if (id !== undefined) remember(thread.blocked, id);
    this.#options.onBlock?.();
    return JSON.stringify({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: blockText(thread.signal.run),
      },
    });
  }

  /** Only calls that change nothing are blocked: an incomplete change may be worse than a loop. */
  #wouldRepeat({ signal }: GuardedThread, tool: string, args: unknown): boolean {
    const bound = this.#isIgnored(tool, args) ? MAX_IGNORED_RUN : LOOP_LEVELS.stop;
    if (signal.run < bound || effectOf(tool, args) === "changes") return false;
    return signal.isInRun(tool, digest(canonicalArguments(args)));
  }

  /** Counts the results of a turn, and clears all counts when a person writes. */
  read(body: string): void {
    // Most events are neither: they are not parsed.
    if (!body.includes("PostToolBatch") && !body.includes("UserPromptSubmit")) return;
    const payload = parsed(body);
    const thread = payload && this.#threads.get(keyOf(payload));
    if (payload === undefined || thread === undefined) return;
    if (payload.hook_event_name === "UserPromptSubmit") thread.signal.human();
    if (payload.hook_event_name !== "PostToolBatch" || !Array.isArray(payload.tool_calls)) return;
    const calls = payload.tool_calls.filter(isFields).flatMap((call) => {
      const id = textOf(call.tool_use_id) ?? "";
      if (thread.blocked.has(id) || !("tool_response" in call)) return [];
      const { tool_input, tool_response } = call;
      return finishedCall({
        ...{ id, n: 0, name: textOf(call.tool_name) ?? "", arguments: tool_input },
        result: { content: tool_response },
      });
    });
    thread.turns += 1;
    if (calls.length > 0) thread.signal.turn(calls, thread.turns);
  }

  #threadOf(payload: Fields): GuardedThread {
    const key = keyOf(payload);
    const thread = this.#threads.get(key) ?? { signal: new LoopSignal<number>(), turns: 0, blocked: new Set() };
    // The least recently used thread is evicted first.
    this.#threads.delete(key);
    this.#threads.set(key, thread);
    for (const oldest of this.#threads.keys()) {
      if (this.#threads.size <= MAX_THREADS) break;
      this.#threads.delete(oldest);
    }
    return thread;
  }
}

function keyOf({ session_id, agent_id }: Fields): string {
  return `${textOf(session_id) ?? ""}\u0000${textOf(agent_id) ?? ""}`;
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  for (const oldest of ids) {
    if (ids.size <= MAX_BLOCKED_IDS) break;
    ids.delete(oldest);
  }
}

function parsed(body: string): Fields | undefined {
  try {
    const payload: unknown = JSON.parse(body);
    return isFields(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** For the model. It repeats no text of the conversation. */
function blockText(run: number): string {
  return (
    `[toolmend] This call was not run: the last ${run} calls brought nothing new, and this one repeats them. ` +
    "Make a different call, or tell the user what was tried and what is missing."
  );
}
