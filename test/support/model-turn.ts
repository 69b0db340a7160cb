import type { ModelCall, ModelDelta, ModelFunction, ProviderTurn } from "../../src/agent/index.ts";

/** The content of one model turn. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish: string | undefined;
  readonly provider?: ProviderTurn;
}

/** Assembles a turn from its deltas. */
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
