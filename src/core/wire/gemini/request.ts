import { positionalSignature } from "../call-position.ts";
import { type HistoryPrompt, isHumanMessage } from "../human-prompt.ts";
import { type Fields, isArray, isObject, messageText, objects, omitUndefined, text } from "../json.ts";
import { PositionalHistory } from "../positional-history.ts";
import type { DeclaredTool, DecodedRequest, HistoryResult } from "../turn.ts";
import { callOf, declarationsOf, field, partsOf, schemaOf, visibleText } from "./fields.ts";

/** Decodes a `generateContent` request. Unknown roles, parts and fields are ignored. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  if (!isObject(body) || !isArray(body.contents)) return undefined;
  const contents = objects(body.contents);
  const reader = new ContentReader();
  for (const [index, content] of body.contents.entries()) if (isObject(content)) reader.read(content, index);
  const users = contents.filter(isUser);
  // Some clients begin with a description of the environment, which is not the user's text.
  const firstUser = users.find(({ parts }) => isHumanMessage(parts)) ?? users[0];
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount: contents.length,
    tools: declarationsOf(body.tools).flatMap(toolOf),
    calls: reader.history.end(),
    prompts: reader.prompts,
    firstUserText: messageText(firstUser?.parts),
    firstTurn: firstTurn(contents),
  });
}

function isUser({ role }: Fields): boolean {
  return role !== "model";
}

function toolOf(declaration: Fields): readonly DeclaredTool[] {
  const name = text(declaration.name);
  return name === undefined ? [] : [omitUndefined({ name, parameters: schemaOf(declaration) })];
}

class ContentReader {
  readonly history: PositionalHistory = new PositionalHistory();
  readonly prompts: HistoryPrompt[] = [];

  read(content: Fields, index: number): void {
    const isModel = !isUser(content);
    this.history.message(index, isModel);
    if (isModel) for (const part of partsOf(content)) this.#readCall(part);
    else this.#readUser(content);
  }

  #readCall(part: unknown): void {
    const call = callOf(part);
    if (call !== undefined) this.history.call(call, call.args, call.id);
  }

  #readUser({ parts }: Fields): void {
    if (isHumanMessage(parts)) this.prompts.push({ content: parts, calls: this.history.size });
    for (const part of objects(parts)) {
      const response = field(part, "functionResponse");
      if (!isObject(response)) continue;
      const reference = { id: text(response.id) || undefined, name: text(response.name) };
      this.history.result(reference, resultOf(response.response));
    }
  }
}

/** The key is the flag: `error` or `output`. Without either, the whole object is the output, and nothing is flagged. */
function resultOf(response: unknown): HistoryResult {
  if (!isObject(response)) return { content: response };
  const { error, output } = response;
  if (error !== undefined && error !== null && error !== false && error !== "")
    return { content: error, is_error: true };
  return output === undefined ? { content: response } : { content: output, is_error: false };
}

function firstTurn(contents: readonly Fields[]): string | undefined {
  const start = contents.findIndex((content) => !isUser(content));
  if (start === -1) return undefined;
  const behind = contents.slice(start).findIndex(isUser);
  const turn = contents.slice(start, behind === -1 ? undefined : start + behind).flatMap(partsOf);
  return signatureOf(turn);
}

/** The turn as a later request will contain it. */
export function signatureOf(parts: readonly unknown[]): string {
  const calls = parts.flatMap((part) => callOf(part) ?? []).map(({ name, args }) => ({ name, arguments: args }));
  return positionalSignature(calls, parts.map((part) => visibleText(part) ?? "").join(""));
}
