import { type Fields, isObject, objects, omitUndefined, text } from "../wire/json.ts";
import { qualified } from "../wire/openai-responses/items.ts";
import type { Api, ClientTool } from "./types.ts";

/** The tools of a request: what the client runs, and the names of what the provider does. */
export interface RequestTools {
  readonly client: readonly ClientTool[];
  readonly server: ReadonlySet<string>;
}

/** Anthropic's own tools that run on the client's machine all the same; every other type is the provider's. */
const CLIENT_TYPES = ["custom", "bash_", "text_editor_", "computer_", "memory_"];
/** Input items that declare tools in the middle of a history. */
const TOOL_ITEMS = new Set<unknown>(["additional_tools", "tool_search_output"]);

export function requestTools(api: Api, body: Fields): RequestTools {
  const client: ClientTool[] = [];
  const server = new Set<string>();
  const read = { anthropic: readAnthropic, chat: readChat, responses: readResponses }[api];
  for (const tool of objects(body.tools)) read(tool, client, server);
  if (api === "responses") {
    for (const item of objects(body.input))
      if (TOOL_ITEMS.has(item.type)) for (const tool of objects(item.tools)) readResponses(tool, client, server);
  }
  return { client, server };
}

function readAnthropic(tool: Fields, client: ClientTool[], server: Set<string>): void {
  const name = text(tool.name);
  if (name === undefined) return;
  const type = text(tool.type) ?? "custom";
  if (CLIENT_TYPES.some((known) => type.startsWith(known)))
    client.push(omitUndefined({ name, description: text(tool.description), parameters: tool.input_schema }));
  else server.add(name);
}

function readChat(tool: Fields, client: ClientTool[], server: Set<string>): void {
  const kind = tool.type === "custom" ? "custom" : "function";
  const declared = tool[kind];
  const name = isObject(declared) ? text(declared.name) : undefined;
  if (name === undefined) {
    const own = text(tool.name) ?? text(tool.type);
    if (own !== undefined) server.add(own);
    return;
  }
  client.push(
    omitUndefined({
      name,
      description: text((declared as Fields).description),
      parameters: (declared as Fields).parameters,
      ...(kind === "custom" && { custom: true as const }),
    }),
  );
}

/** Namespaces do not nest; the request decoder reads one level, too. */
function readResponses(tool: Fields, client: ClientTool[], server: Set<string>): void {
  if (tool.type !== "namespace") readResponsesTool(tool, client, server);
  else for (const inner of objects(tool.tools)) readResponsesTool(inner, client, server, text(tool.name));
}

function readResponsesTool(tool: Fields, client: ClientTool[], server: Set<string>, space?: string): void {
  const name = text(tool.name);
  if (name !== undefined && (tool.type === "function" || tool.type === "custom")) {
    client.push(
      omitUndefined({
        name: qualified(space, name),
        description: text(tool.description),
        parameters: tool.parameters,
        ...(space !== undefined && { wireName: name, namespace: space }),
        ...(tool.type === "custom" && { custom: true as const }),
      }),
    );
  } else {
    const own = name ?? text(tool.type);
    if (own !== undefined) server.add(own);
  }
}

type Restore = <T>(value: T) => T;

/**
 * A declared tool whose strings are true. Nearly all of a tool list is schemas: none is restored before somebody asks for it. A class,
 * because an object that is written down with a getter gets a shape of its own, which holds on to all that the getter names until the next full
 * collection.
 */
export class DecodedTool implements ClientTool {
  readonly name: string;
  readonly wireName: string | undefined;
  readonly namespace: string | undefined;
  readonly custom: true | undefined;
  readonly #description: string | undefined;
  readonly #raw: unknown;
  readonly #restore: Restore;
  #schema: unknown;

  constructor({ name, description, wireName, namespace, custom, parameters }: ClientTool, restore: Restore) {
    this.name = restore(name);
    this.wireName = restore(wireName);
    this.namespace = restore(namespace);
    this.custom = custom;
    this.#description = description;
    this.#raw = parameters;
    this.#restore = restore;
  }

  get description(): string | undefined {
    return this.#restore(this.#description);
  }

  get parameters(): unknown {
    this.#schema ??= this.#restore(this.#raw);
    return this.#schema;
  }
}
