import { declarationsOf, schemaOf } from "../wire/gemini/fields.ts";
import { type Fields, isObject, objects, omitUndefined, text } from "../wire/json.ts";
import { qualified } from "../wire/responses-items.ts";
import type { Api, ClientTool } from "./types.ts";

/** The tools of a request: those the client runs, and the names of those the provider runs. */
export interface RequestTools {
  readonly client: readonly ClientTool[];
  readonly server: ReadonlySet<string>;
}

/** Types of Anthropic's own tools that run on the client; all other types run on the provider's side. */
const CLIENT_TYPES = ["custom", "bash_", "text_editor_", "computer_", "memory_"];
/** Input items that declare tools within a history. */
const TOOL_ITEMS = new Set<unknown>(["additional_tools", "tool_search_output"]);

export function requestTools(api: Api, body: Fields): RequestTools {
  const client: ClientTool[] = [];
  const server = new Set<string>();
  const read = {
    anthropic: readAnthropic,
    chat: readChat,
    responses: readResponses,
    gemini: readGemini,
    ollama: readChat,
  }[api];
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
  if (CLIENT_TYPES.some((prefix) => type.startsWith(prefix)))
    client.push(omitUndefined({ name, description: text(tool.description), parameters: tool.input_schema }));
  else server.add(name);
}

function readChat(tool: Fields, client: ClientTool[], server: Set<string>): void {
  const kind = tool.type === "custom" ? "custom" : "function";
  const declared = tool[kind];
  const name = isObject(declared) ? text(declared.name) : undefined;
  if (name === undefined || !isObject(declared)) {
    const serverName = text(tool.name) ?? text(tool.type);
    if (serverName !== undefined) server.add(serverName);
    return;
  }
  client.push(
    omitUndefined({
      name,
      description: text(declared.description),
      parameters: declared.parameters,
      ...(kind === "custom" && { custom: true as const }),
    }),
  );
}

/** An entry declares functions, or switches on a tool that the provider runs: `{"googleSearch": {}}`. */
function readGemini(tool: Fields, client: ClientTool[], server: Set<string>): void {
  for (const key of Object.keys(tool)) if (!DECLARATIONS.has(key)) server.add(key);
  for (const declaration of declarationsOf([tool])) {
    const name = text(declaration.name);
    if (name === undefined) continue;
    const description = text(declaration.description);
    client.push(omitUndefined({ name, description, parameters: schemaOf(declaration) }));
  }
}

const DECLARATIONS = new Set(["functionDeclarations", "function_declarations"]);

/** Namespaces do not nest; the request decoder reads one level, too. */
function readResponses(tool: Fields, client: ClientTool[], server: Set<string>): void {
  if (tool.type !== "namespace") readResponsesTool(tool, client, server);
  else for (const inner of objects(tool.tools)) readResponsesTool(inner, client, server, text(tool.name));
}

function readResponsesTool(tool: Fields, client: ClientTool[], server: Set<string>, namespace?: string): void {
  const name = text(tool.name);
  if (name !== undefined && (tool.type === "function" || tool.type === "custom")) {
    client.push(
      omitUndefined({
        name: qualified(namespace, name),
        description: text(tool.description),
        parameters: tool.parameters,
        ...(namespace !== undefined && { wireName: name, namespace }),
        ...(tool.type === "custom" && { custom: true as const }),
      }),
    );
  } else {
    const serverName = name ?? text(tool.type);
    if (serverName !== undefined) server.add(serverName);
  }
}

type DecodeUtf8 = <T>(value: T) => T;

/**
 * A declared tool with decoded strings. Schemas are most of a tool list, so each is decoded only on access. This is a
 * class because every object literal with a getter gets its own hidden class, which retains everything the getter
 * references until the next full garbage collection.
 */
export class DecodedTool implements ClientTool {
  readonly name: string;
  readonly wireName: string | undefined;
  readonly namespace: string | undefined;
  readonly custom: true | undefined;
  readonly #description: string | undefined;
  readonly #raw: unknown;
  readonly #decodeUtf8: DecodeUtf8;
  #schema: unknown;

  constructor({ name, description, wireName, namespace, custom, parameters }: ClientTool, decodeUtf8: DecodeUtf8) {
    this.name = decodeUtf8(name);
    this.wireName = decodeUtf8(wireName);
    this.namespace = decodeUtf8(namespace);
    this.custom = custom;
    this.#description = description;
    this.#raw = parameters;
    this.#decodeUtf8 = decodeUtf8;
  }

  get description(): string | undefined {
    return this.#decodeUtf8(this.#description);
  }

  get parameters(): unknown {
    this.#schema ??= this.#decodeUtf8(this.#raw);
    return this.#schema;
  }
}
