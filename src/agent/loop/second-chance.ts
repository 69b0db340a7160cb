import { hopelessCalls } from "../../core/second-chance/hopeless-calls.ts";
import { compareAttempts } from "../../core/second-chance/join-attempts.ts";
import type {
  Attempt,
  HopelessCall,
  Part,
  SecondChanceReason,
  SecondChanceResult,
} from "../../core/second-chance/types.ts";
import type { Message } from "../model/message.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import { argumentsObject } from "./events.ts";
import type { ReadTurn } from "./model-turn.ts";

/** A turn in which no call can work. */
export interface HopelessTurn {
  readonly attempt: Attempt;
  readonly calls: readonly HopelessCall[];
  readonly reason: SecondChanceReason;
}

/** The tools of a round as their declarations describe them. */
function toolsOf(registry: ToolRegistry) {
  return new Map(registry.definitions().map(({ name, inputSchema }) => [name, { name, parameters: inputSchema }]));
}

/**
 * The turn if none of its calls can work; undefined otherwise. A turn with data that must be sent back to the provider
 * unchanged is excluded, because it cannot be joined with another one.
 */
export function hopelessTurn(turn: ReadTurn, registry: ToolRegistry): HopelessTurn | undefined {
  if (turn.calls.length === 0 || turn.isRecovered || turn.provider !== undefined) return undefined;
  // The registry accepts more names than it declares.
  if (turn.calls.some(({ name }) => !isDeclared(registry, name) && registry.find(name) !== undefined)) return undefined;
  const attempt = attemptOf(turn);
  const calls = attempt.isComplete ? hopelessCalls(attempt, toolsOf(registry)) : undefined;
  const [first] = calls ?? [];
  return calls === undefined || first === undefined ? undefined : { attempt, calls, reason: first.reason };
}

function isDeclared(registry: ToolRegistry, name: string): boolean {
  return registry.definitions().some((tool) => tool.name === name);
}

/** The messages for the second request: the turn, and an error result for each of its calls. */
export function secondMessages(
  messages: readonly Message[],
  turn: ReadTurn,
  { calls }: HopelessTurn,
): readonly Message[] {
  const made = turn.calls.map((call) => ({ ...call, arguments: argumentsObject(call.arguments) }));
  return [
    ...messages,
    { role: "assistant", content: turn.text, toolCalls: made },
    ...calls.map(
      ({ call, message }): Message => ({
        ...{ role: "tool", content: message, toolCallId: call.id, name: call.name, isError: true },
      }),
    ),
  ];
}

/** The turn with which the loop continues, and the result of asking again. */
export function joinTurns(
  first: ReadTurn,
  second: ReadTurn,
  hopeless: HopelessTurn,
  registry: ToolRegistry,
): { readonly turn: ReadTurn; readonly result: SecondChanceResult } {
  const isFailed = second.finish === undefined || second.finish === "error";
  const canJoin = second.provider === undefined || first.text === "";
  const { result } = compareAttempts(hopeless.attempt, attemptOf(second), toolsOf(registry));
  if ((result !== "healed" && result !== "text") || !canJoin)
    return { turn: first, result: isFailed ? "failed" : canJoin ? result : "no_better" };
  const text = [first.text, second.text].filter((one) => one !== "").join("\n\n");
  const usage = second.usage ?? first.usage;
  return { turn: { ...second, text, usage, hasShown: first.hasShown || second.hasShown }, result };
}

const NORMAL = { stop: "stop", "tool-calls": "tool_calls" } as const;

function attemptOf({ text, calls, finish }: ReadTurn): Attempt {
  const parts: Part[] = calls.map(({ id, name, arguments: args }) => ({
    kind: "call",
    item: {},
    call: { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}), isCustom: false },
  }));
  const isNormal = finish === "stop" || finish === "tool-calls";
  return {
    parts: text === "" ? parts : [{ kind: "text", item: {}, text }, ...parts],
    stopReason: isNormal ? NORMAL[finish] : finish,
    usage: undefined,
    hasOther: false,
    isComplete: isNormal,
  };
}
