import { type CallableTool, hopelessCall, hopelessCalls } from "../../core/second-chance/hopeless-calls.ts";
import { compareAttempts, endedNormally, sumUsage } from "../../core/second-chance/join-attempts.ts";
import type {
  Attempt,
  HopelessCall,
  Part,
  SecondChanceReason,
  SecondChanceResult,
} from "../../core/second-chance/types.ts";
import { isObject, parseJson } from "../../core/wire/json.ts";
import { isStoredByProvider, splitTools } from "./read-call-options.ts";
import type { CallOptions, Content, FinishReason, Generated, Model, StreamPart } from "./repair-generated.ts";

/** Result of asking the model again. */
export interface SecondChanceReport {
  /** Why the calls of the first response could not work. */
  readonly reason: SecondChanceReason;
  /** `healed` and `text`: the second response took the place of the first. */
  readonly result: SecondChanceResult;
  readonly toolNames: readonly string[];
}

type Usage = Generated["usage"];
type Prompt = CallOptions["prompt"];

/** A response, complete or from a stream. */
export interface Response {
  readonly content: readonly Content[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
}

/** The tools of a request whose response may be requested again; undefined if it must not be. */
export function callableTools(params: CallOptions, model: Model): ReadonlyMap<string, CallableTool> | undefined {
  const { client, server } = splitTools(params.tools);
  const providerOptions = Object.values(params.providerOptions ?? {}).filter(isObject);
  if (client.length === 0 || server.size > 0 || params.toolChoice?.type === "none") return undefined;
  if (isStoredByProvider(model, providerOptions)) return undefined;
  return new Map(client.map((tool) => [tool.name, tool]));
}

/**
 * Asks the model again if no call of its response can work. Returns the continuation of the first response without its
 * calls, or undefined to keep them.
 */
export async function askAgain(
  first: Response,
  params: CallOptions,
  tools: ReadonlyMap<string, CallableTool>,
  ask: (params: CallOptions) => Promise<Response>,
  onReport: (report: SecondChanceReport) => void,
): Promise<Response | undefined> {
  const attempt = attemptOf(first);
  const hopeless = attempt.hasOther || !endedNormally(attempt) ? undefined : hopelessCalls(attempt, tools);
  const [worst] = hopeless ?? [];
  if (hopeless === undefined || worst === undefined) return undefined;
  const toolNames = hopeless.map(({ call }) => call.name);
  try {
    const second = await ask({ ...params, prompt: secondPrompt(params.prompt, first, hopeless) });
    const { result } = compareAttempts(attempt, attemptOf(second), tools);
    onReport({ reason: worst.reason, result, toolNames });
    if (result !== "healed" && result !== "text") return undefined;
    const isFirst = first.content.every(isCall);
    return {
      content: second.content.filter((part) => isFirst || part.type !== "reasoning"),
      finishReason: second.finishReason,
      // Both have the same shape, and addition preserves it.
      usage: sumUsage({ ...first.usage }, { ...second.usage }) as unknown as Usage,
    };
  } catch {
    onReport({ reason: worst.reason, result: "failed", toolNames });
    return undefined;
  }
}

export function isCall({ type }: Content): boolean {
  return type === "tool-call";
}

function secondPrompt(prompt: Prompt, { content }: Response, hopeless: readonly HopelessCall[]): Prompt {
  type Assistant = Extract<Prompt[number], { role: "assistant" }>["content"][number];
  const turn = content.flatMap((part): Assistant[] => {
    const options = "providerMetadata" in part &&
      part.providerMetadata !== undefined && { providerOptions: part.providerMetadata };
    if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, text: part.text, ...options }];
    if (part.type !== "tool-call") return [];
    const input = parseJson(part.input);
    const { toolCallId, toolName } = part;
    return [{ type: "tool-call", toolCallId, toolName, input: isObject(input) ? input : {}, ...options }];
  });
  const results = hopeless.map(({ call, message }) => ({
    ...{ type: "tool-result" as const, toolCallId: call.id, toolName: call.name },
    output: { type: "error-text" as const, value: message },
  }));
  return [...prompt, { role: "assistant", content: turn }, { role: "tool", content: results }];
}

function attemptOf({ content, finishReason }: Response): Attempt {
  const parts = content.map(partOf);
  const known = parts.filter((part) => part !== undefined);
  return {
    parts: known,
    stopReason: finishReason.unified.replace("-", "_"),
    usage: undefined,
    hasOther: known.length < parts.length,
    isComplete: finishReason.unified !== "error",
  };
}

function partOf(part: Content): Part | undefined {
  if (part.type === "text") return { kind: "text", item: {}, text: part.text };
  if (part.type === "reasoning") return { kind: "thinking", item: {} };
  if (part.type !== "tool-call" || part.providerExecuted === true) return undefined;
  const { toolCallId: id, toolName: name, input } = part;
  return { kind: "call", item: {}, call: { id, name, arguments: input, isCustom: false } };
}

/** The parts of a stream as the content of a complete response. */
export class StreamedContent {
  readonly #parts = new Map<
    string,
    { readonly type: "text" | "reasoning"; readonly texts: string[]; metadata?: unknown }
  >();
  readonly #order: (string | Content)[] = [];
  finish: Extract<StreamPart, { type: "finish" }> | undefined;
  hasOther = false;

  push(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type = part.type === "text-start" ? "text" : "reasoning";
        this.#parts.set(`${type} ${part.id}`, { type, texts: [] });
        this.#order.push(`${type} ${part.id}`);
        this.#note(type, part);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const type = part.type === "text-delta" ? "text" : "reasoning";
        this.#parts.get(`${type} ${part.id}`)?.texts.push(part.delta);
        this.#note(type, part);
        break;
      }
      case "text-end":
      case "reasoning-end":
        this.#note(part.type === "text-end" ? "text" : "reasoning", part);
        break;
      case "tool-call":
        this.#order.push(part);
        break;
      case "finish":
        this.finish = part;
        break;
      case "error":
      case "file":
      case "source":
      case "tool-result":
        this.hasOther = true;
        break;
    }
  }

  #note(
    type: "text" | "reasoning",
    { id, providerMetadata }: { readonly id: string; readonly providerMetadata?: unknown },
  ): void {
    const open = this.#parts.get(`${type} ${id}`);
    if (open !== undefined && providerMetadata !== undefined) open.metadata = providerMetadata;
  }

  /** Undefined if the stream did not end properly. */
  end(): Response | undefined {
    if (this.finish === undefined || this.hasOther) return undefined;
    const content = this.#order.flatMap((one): Content[] => {
      if (typeof one !== "string") return [one];
      const open = this.#parts.get(one);
      if (open === undefined) return [];
      const { type, texts, metadata } = open;
      return [{ type, text: texts.join(""), ...(metadata !== undefined && { providerMetadata: metadata }) } as Content];
    });
    return { content, finishReason: this.finish.finishReason, usage: this.finish.usage };
  }
}

/** Holds the calls of a stream until it ends, then asks the model again if none of them can work. */
export function secondChanceStream(
  source: ReadableStream<StreamPart>,
  tools: ReadonlyMap<string, CallableTool>,
  again: (first: Response) => Promise<Response | undefined>,
): ReadableStream<StreamPart> {
  const content = new StreamedContent();
  let held: StreamPart[] = [];
  let isOpen = false;
  return source.pipeThrough(
    new TransformStream<StreamPart, StreamPart>({
      async transform(part, controller) {
        if (!isOpen) content.push(part);
        if (isOpen || (held.length === 0 && !part.type.startsWith("tool-"))) {
          controller.enqueue(part);
          return;
        }
        held.push(part);
        isOpen = couldWork(part, tools);
        if (isOpen) for (const one of held.splice(0)) controller.enqueue(one);
        if (part.type !== "finish") return;
        const first = content.end();
        const second = first === undefined ? undefined : await again(first);
        const out =
          second === undefined ? held : [...held.filter(isNoCall), ...partsOf(second), finishOf(part, second)];
        held = [];
        for (const one of out) controller.enqueue(one);
      },
      flush(controller) {
        for (const part of held) controller.enqueue(part);
      },
    }),
  );
}

/** Whether a complete call could work, so that the turn is not hopeless. */
function couldWork(part: StreamPart, tools: ReadonlyMap<string, CallableTool>): boolean {
  if (part.type !== "tool-call") return false;
  const read = partOf(part);
  return read?.kind !== "call" || hopelessCall(read.call, tools) === undefined;
}

function isNoCall({ type }: StreamPart): boolean {
  return !type.startsWith("tool-") && type !== "finish";
}

function finishOf(
  part: Extract<StreamPart, { type: "finish" }>,
  { finishReason, usage }: Response,
): Extract<StreamPart, { type: "finish" }> {
  return { ...part, finishReason, usage };
}

/** The parts of a complete response in the form of a stream. */
function partsOf({ content }: Response): readonly StreamPart[] {
  return content.flatMap((part, at): StreamPart[] => {
    const id = `second-${at}`;
    if (part.type === "tool-call")
      return [
        { type: "tool-input-start", id: part.toolCallId, toolName: part.toolName },
        { type: "tool-input-delta", id: part.toolCallId, delta: part.input },
        { type: "tool-input-end", id: part.toolCallId },
        part,
      ];
    if (part.type !== "text" && part.type !== "reasoning") return [];
    const { type, text, providerMetadata } = part;
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id, ...(providerMetadata !== undefined && { providerMetadata }) },
    ];
  });
}
