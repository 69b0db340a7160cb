import { extractToolCalls } from "../../../src/index.ts";
import type { Call, ContextItem, Tool } from "./safety-case.ts";

type Options = NonNullable<Parameters<typeof extractToolCalls>[1]>;

export interface Extracted {
  readonly content: string | null;
  readonly calls: readonly Call[];
}

/** The only place where the checks use the public API. */
export function extract(text: string, tools: readonly Tool[], context: readonly ContextItem[]): Extracted {
  const { content, toolCalls } = extractToolCalls(text, { tools, context } as unknown as Options);
  return { content, calls: toolCalls.map((call) => ({ name: call.name, arguments: call.arguments })) as Call[] };
}
