import { type ContentPart, isFields, partsText, readPart, textOf } from "../model/content-part.ts";
import type { Message, ModelCall, ProviderBlock, ProviderTurn } from "../model/message.ts";

type Row = { readonly [key: string]: unknown };

/** Messages, and for each the index of the row it came from. */
export interface ReadRows {
  readonly messages: readonly Message[];
  readonly sources: readonly number[];
}

/**
 * Reads a conversation in the format of this library, OpenAI's Chat Completions, OpenAI's Responses or Anthropic's
 * Messages, even if they are mixed. Messages of this library are returned unchanged. Throws for a row in any other
 * format: nothing is dropped silently.
 *
 * @example
 * runToolLoop({ registry, model, messages: readMessages(await database.load(id)) });
 */
export function readMessages(rows: readonly object[]): Message[] {
  return [...readRows(rows).messages];
}

/** As {@link readMessages}, with the origin of each message. */
export function readRows(rows: readonly object[]): ReadRows {
  if (!Array.isArray(rows)) throw new TypeError("messages must be a list of messages.");
  const reader = new RowReader();
  for (const [index, row] of rows.entries()) {
    if (!isFields(row)) throw new TypeError(`messages[${index}] is not a message.`);
    reader.read(row, index);
  }
  return reader.end();
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function isMessage(row: Row): boolean {
  return ROLES.has(row.role) && typeof row.content === "string" && !("tool_calls" in row) && !("tool_call_id" in row);
}

/** An assistant turn of the Responses API, which consists of several items. */
interface OpenTurn {
  readonly index: number;
  readonly texts: ContentPart[];
  readonly calls: ModelCall[];
  /** Items that only the provider interprets; those before a call belong to it. */
  readonly blocks: { readonly data: unknown; readonly callIds: string[] }[];
}

class RowReader {
  readonly #messages: Message[] = [];
  readonly #sources: number[] = [];
  #turn: OpenTurn | undefined;

  read(row: Row, index: number): void {
    // The check above establishes the type.
    const role = row.role === "developer" ? "system" : row.role;
    if (isMessage(row) && row.type === undefined) this.#push(row as unknown as Message, index);
    else if (row.type !== undefined && (role === undefined || row.type === "message")) this.#item(row, index);
    else if (role === "assistant") this.#push(assistantOf(row), index);
    else if (role === "tool") this.#push(toolOf(row, row.tool_call_id ?? row.toolCallId), index);
    else if (role === "user" || role === "system") this.#userRow(role, row, index);
    else throw new TypeError(`messages[${index}] has the role ${JSON.stringify(row.role)}, which no API has.`);
  }

  end(): ReadRows {
    this.#endTurn();
    return { messages: this.#messages, sources: this.#sources };
  }

  #push(message: Message, index: number): void {
    this.#endTurn();
    this.#messages.push(message);
    this.#sources.push(index);
  }

  /** In Anthropic's API, results are blocks of a user message. */
  #userRow(role: "user" | "system", row: Row, index: number): void {
    const blocks = Array.isArray(row.content) ? row.content.filter(isFields) : [];
    const results = blocks.filter(({ type }) => type === "tool_result");
    for (const result of results) this.#push(toolOf(result, result.tool_use_id), index);
    const rest = blocks.filter(({ type }) => type !== "tool_result");
    if (results.length === 0 || rest.length > 0) {
      this.#push({ role, ...contentOf(results.length === 0 ? row.content : rest) }, index);
    }
  }

  /** An item of the Responses API. */
  #item(row: Row, index: number): void {
    const role = row.role === "developer" ? "system" : row.role;
    if (row.type === "message" && (role === "user" || role === "system")) {
      this.#push({ role, ...contentOf(row.content) }, index);
    } else if (row.type === "function_call_output") {
      this.#push({ role: "tool", toolCallId: textOf(row.call_id) ?? "", ...contentOf(row.output) }, index);
    } else this.#turnItem(row, index);
  }

  /** A part of an assistant turn. */
  #turnItem(row: Row, index: number): void {
    // A message after a call starts a new turn.
    if (row.type === "message" && (this.#turn?.calls.length ?? 0) > 0) this.#endTurn();
    this.#turn ??= { index, texts: [], calls: [], blocks: [] };
    const { texts, calls, blocks } = this.#turn;
    if (row.type === "message") texts.push(...partsOf(row.content));
    else if (row.type === "function_call") {
      const id = textOf(row.call_id) ?? "";
      calls.push({ id, name: textOf(row.name) ?? "", arguments: row.arguments });
      for (const { callIds } of blocks) callIds.push(id);
    } else blocks.push({ data: row, callIds: [] });
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    const blocks = turn.blocks.map(({ data, callIds }) => (callIds.length > 0 ? { data, callIds } : { data }));
    this.#messages.push({
      role: "assistant",
      ...contentOfParts(turn.texts),
      ...(turn.calls.length > 0 && { toolCalls: turn.calls }),
      ...(blocks.length > 0 && { provider: { blocks } }),
    });
    this.#sources.push(turn.index);
  }
}

function partsOf(content: unknown): ContentPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isFields(part) ? (readPart(part) ?? []) : []));
}

function contentOf(content: unknown): Pick<Message, "content" | "parts"> {
  return contentOfParts(partsOf(content));
}

/** Parts are kept only if they are more than text. */
function contentOfParts(parts: readonly ContentPart[]): Pick<Message, "content" | "parts"> {
  const content = partsText(parts);
  return parts.every(({ kind }) => kind === "text") ? { content } : { content, parts };
}

function toolOf(row: Row, id: unknown): Message {
  const name = textOf(row.name);
  return {
    role: "tool",
    toolCallId: textOf(id) ?? "",
    ...contentOf(row.content),
    ...(name !== undefined && { name }),
    ...((row.is_error === true || row.isError === true) && { isError: true }),
  };
}

function assistantOf(row: Row): Message {
  const blocks = Array.isArray(row.content) ? row.content.filter(isFields) : [];
  const calls = [
    ...blocks.filter(({ type }) => type === "tool_use").map(callOfBlock),
    ...(Array.isArray(row.tool_calls) ? row.tool_calls.filter(isFields).map(callOfEntry) : []),
    // Rows of this library whose content is null.
    ...(Array.isArray(row.toolCalls) ? (row.toolCalls as ModelCall[]) : []),
  ];
  const provider = providerOf(row, blocks);
  const { turn, dropped } = row as Pick<Message, "turn" | "dropped">;
  return {
    role: "assistant",
    ...contentOf(row.content),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(provider !== undefined && { provider }),
    ...(turn !== undefined && { turn }),
    ...(dropped !== undefined && { dropped }),
  };
}

function callOfBlock({ id, name, input }: Row): ModelCall {
  return { id: textOf(id) ?? "", name: textOf(name) ?? "", arguments: input ?? {} };
}

/** A call of Chat Completions: of a function, or of a tool with free text. */
function callOfEntry(entry: Row): ModelCall {
  const called = isFields(entry.function) ? entry.function : isFields(entry.custom) ? entry.custom : {};
  const args = isFields(entry.function) ? called.arguments : { input: called.input };
  return { id: textOf(entry.id) ?? "", name: textOf(called.name) ?? "", arguments: args };
}

/** Data that the provider expects back: reasoning of open models, or Anthropic's thinking and server tools. */
function providerOf(row: Row, blocks: readonly Row[]): ProviderTurn | undefined {
  // A row of this library with a null content.
  if (isFields(row.provider) && Array.isArray(row.provider.blocks)) return row.provider as unknown as ProviderTurn;
  const { reasoning_content: reasoning } = row;
  if (typeof reasoning === "string" && reasoning !== "") return { blocks: [{ data: reasoning }] };
  const preserved = blocks.flatMap((block, at): ProviderBlock[] => {
    if (block.type === "tool_use" || readPart(block) !== undefined) return [];
    const following = blocks.slice(at + 1);
    const next = following.find((later) => later.type === "tool_use" || readPart(later) !== undefined);
    const data = { block, before: next !== undefined && next.type !== "tool_use" ? "text" : "calls" };
    const callIds = following.flatMap((later) => (later.type === "tool_use" ? (textOf(later.id) ?? []) : []));
    return [data.before === "calls" && callIds.length > 0 ? { data, callIds } : { data }];
  });
  if (preserved.length === 0) return undefined;
  const sealed = blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking");
  return sealed ? { sealed, blocks: preserved } : { blocks: preserved };
}
