import { extractToolCalls } from "../../../src/index.ts";
import type { Call, ContextItem, Tool } from "./safety-case.ts";

type Options = NonNullable<Parameters<typeof extractToolCalls>[1]>;

export interface Extracted {
  readonly content: string | null;
  readonly calls: readonly Call[];
}

/**
 * The only place where the checks meet the public API.
 *
 * `context` takes strings only so far. Items with a role are mapped to their text, and what the assistant itself wrote
 * is left out. Once the API takes `{role, text}`, delete `plainContext` and pass the items on as they are.
 */
export function extract(text: string, tools: readonly Tool[], context: readonly ContextItem[]): Extracted {
  const options = { tools, context: plainContext(context) } as unknown as Options;
  const { content, toolCalls } = extractToolCalls(text, options);
  return { content, calls: toolCalls.map((call) => ({ name: call.name, arguments: call.arguments })) as Call[] };
}

function plainContext(context: readonly ContextItem[]): string[] {
  return context.flatMap((item) => {
    if (typeof item === "string") return [item];
    return item.role === "assistant" ? [] : [item.text];
  });
}
