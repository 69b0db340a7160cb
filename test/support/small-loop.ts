import type {
  Message,
  ModelCall,
  ModelDelta,
  ModelFunction,
  ProviderTurn,
  ToolRegistry,
} from "../../src/agent/index.ts";

/** What a model said in one turn. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish: string | undefined;
  readonly provider?: ProviderTurn;
}

/** Puts a turn together from its deltas. */
export async function collect(deltas: ReturnType<ModelFunction>): Promise<Turn> {
  let text = "";
  const calls: ModelCall[] = [];
  const parts = new Map<number, { id: string; name: string; arguments: string }>();
  let finish: Extract<ModelDelta, { kind: "finish" }> | undefined;
  for await (const delta of await deltas) {
    if (delta.kind === "text") text += delta.text;
    else if (delta.kind === "call") calls.push(delta.call);
    else if (delta.kind === "finish") finish = delta;
    else {
      const part = parts.get(delta.index) ?? { id: "", name: "", arguments: "" };
      parts.set(delta.index, part);
      part.id ||= delta.id ?? "";
      part.name ||= delta.name ?? "";
      part.arguments += delta.arguments ?? "";
    }
  }
  const { provider } = finish ?? {};
  return { text, calls: [...calls, ...parts.values()], finish: finish?.reason, ...(provider && { provider }) };
}

/** The plainest loop there is: asks, runs every call, asks again, until there is none. */
export async function smallLoop(
  model: ModelFunction,
  registry: ToolRegistry,
  start: readonly Message[],
): Promise<{ readonly turns: readonly Turn[]; readonly messages: readonly Message[] }> {
  const messages: Message[] = [...start];
  const turns: Turn[] = [];
  for (let round = 1; round <= 10; round += 1) {
    const { signal } = new AbortController();
    const turn = await collect(model({ messages, tools: registry.definitions(), toolChoice: "auto", signal, round }));
    turns.push(turn);
    messages.push({
      role: "assistant",
      content: turn.text,
      ...(turn.calls.length > 0 && { toolCalls: turn.calls }),
      ...(turn.provider && { provider: turn.provider }),
    });
    if (turn.calls.length === 0) break;
    for (const call of turn.calls) {
      const outcome = await registry.call(call);
      const content = outcome.ok ? outcome.modelText : outcome.failure.modelMessage;
      messages.push({ role: "tool", toolCallId: call.id, content, ...(!outcome.ok && { isError: true }) });
    }
  }
  return { turns, messages };
}
