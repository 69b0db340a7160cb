import { CallContext, NativeCall } from "../../core/repair/calls/native-call.ts";
import type { CallReport } from "../../core/repair/index.ts";
import type { TurnContext } from "../../core/repair/repair-turn.ts";
import type { QueuedPart } from "./part-repairer.ts";
import type { Content, Generated, StreamPart } from "./repair-generated.ts";

type ToolCallPart = Extract<StreamPart, { type: "tool-call" }>;

/** Repairs the native calls in the parts of a response. */
export class PartCalls {
  readonly #context: CallContext | undefined;
  readonly #calls = new Map<string, NativeCall>();
  readonly #isBlocked: boolean;

  constructor({ api, options }: TurnContext) {
    const { calls } = options;
    this.#context = calls === undefined ? undefined : new CallContext(api, options, calls);
    this.#isBlocked = calls?.blocked !== undefined;
  }

  get reports(): readonly CallReport[] {
    return [...this.#calls.values()].flatMap(({ report }) => report ?? []);
  }

  /** Decides everything undecided: the stream ended, or too much is buffered. */
  release(): void {
    for (const call of this.#calls.values()) call.end(true);
  }

  /** Reads a part of a stream; undefined if it belongs to no call that may be repaired. */
  read(part: StreamPart): QueuedPart | undefined {
    switch (part.type) {
      case "tool-input-start":
        return this.#start(part);
      case "tool-input-delta":
        return this.#delta(part);
      case "tool-input-end":
        return this.#end(part);
      case "tool-call": {
        const known = this.#calls.get(part.toolCallId);
        const whole = this.#repair(part, known);
        return whole === part ? undefined : ready(part, [whole]);
      }
    }
    return undefined;
  }

  /** Repairs the calls of a complete result. Returns the same object if nothing changes. */
  repairAll(result: Generated): Generated {
    const content = result.content.map(
      (part): Content => (part.type === "tool-call" ? this.#repair(part, undefined) : part),
    );
    return content.every((part, at) => part === result.content[at]) ? result : { ...result, content };
  }

  #open(id: string, name: string): NativeCall | undefined {
    if (this.#context === undefined) return undefined;
    // The SDK generated ids for calls without one.
    const call = new NativeCall(this.#context, id, false);
    call.nameAs(name);
    this.#calls.set(id, call);
    return call;
  }

  #start(part: Extract<StreamPart, { type: "tool-input-start" }>): QueuedPart | undefined {
    if (part.providerExecuted === true || this.#isBlocked) return undefined;
    const call = this.#open(part.id, part.toolName);
    if (call === undefined || call.name === part.toolName) return undefined;
    return ready(part, [{ ...part, toolName: call.name }]);
  }

  #delta(part: Extract<StreamPart, { type: "tool-input-delta" }>): QueuedPart | undefined {
    const piece = this.#calls.get(part.id)?.push(part.delta);
    if (piece === undefined) return undefined;
    return {
      part,
      isReady: () => piece.isDecided,
      render: () => [piece.text === part.delta ? part : { ...part, delta: piece.text }],
    };
  }

  #end(part: Extract<StreamPart, { type: "tool-input-end" }>): QueuedPart | undefined {
    const call = this.#calls.get(part.id);
    // Without any input, the call itself decides whether that is valid.
    const rest = call?.hasArguments === true ? call.end() : "";
    return rest === "" ? undefined : ready(part, [{ type: "tool-input-delta", id: part.id, delta: rest }, part]);
  }

  #repair(part: ToolCallPart, known: NativeCall | undefined): ToolCallPart {
    if (part.providerExecuted === true) return part;
    const call = known ?? this.#open(part.toolCallId, part.toolName);
    if (call === undefined) return part;
    const input = call.isOver ? call.repeated(part.input) : call.check(part.input);
    if (this.#isBlocked || (input === part.input && call.name === part.toolName)) return part;
    return { ...part, toolName: call.name, input };
  }
}

function ready(part: StreamPart, parts: readonly StreamPart[]): QueuedPart {
  return { part, isReady: () => true, render: () => parts };
}
