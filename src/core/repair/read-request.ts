import { WIRE } from "../wire/index.ts";
import { type Fields, isObject, objects, text } from "../wire/json.ts";
import { qualified } from "../wire/openai-responses/items.ts";
import { DecodedTool, requestTools } from "./client-tools.ts";
import { contextTexts } from "./context-texts.ts";
import { allowedBy } from "./repair-policy.ts";
import type { Api, RepairOptions, UnrepairedReason } from "./types.ts";

export const REPAIR_MODES = ["off", "observe", "known", "any"] as const;
/** `off`: nothing is looked for. `observe`: leaks are told, nothing changes. `known`: declared tools are called. `any`: whatever the model names. */
export type RepairMode = (typeof REPAIR_MODES)[number];

/** What the user set. */
export interface RepairSettings {
  readonly mode: RepairMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** The largest candidate that is held, in UTF-16 units. */
  readonly maxCandidate?: number;
  /** A command of a leak that occurs in a user message or a tool result as plain text is an echo, too. */
  readonly strictCommands?: boolean;
}

export interface ReadRequestOptions {
  readonly settings: RepairSettings;
  readonly randomAlphanumeric: (length: number) => string;
  /** Makes strings true that were read from bytes; see the proxy's body text. */
  readonly restore?: <T>(value: T) => T;
  /** Nothing is changed for this reason, whatever the request says. */
  readonly blocked?: UnrepairedReason;
  /** Where the provider holds the conversation: may a call be kept, so that it can be put back before its result? Without this, nothing is mended there. */
  readonly canStoreCall?: (argumentsText: string) => boolean;
  /** The body once more: it is rarely asked for, and holding it until the answer ends costs more than reading it again. */
  readonly reread?: () => unknown;
}

const MAX_CONTEXT_CHARS = 4 << 20;
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;
const MISTRAL = /mistral|ministral|magistral|devstral|codestral|pixtral|mixtral/i;

/** What may be mended in the answer to a request; undefined when nothing may: no tools of the client, or none allowed. */
export function readRepairOptions(api: Api, body: unknown, options: ReadRequestOptions): RepairOptions | undefined {
  const { settings, randomAlphanumeric: letters, restore = same, reread = always(body) } = options;
  if (settings.mode === "off" || !isObject(body) || forbidsTools(body)) return undefined;
  const { client, server } = requestTools(api, body);
  if (client.length === 0) return undefined;
  const held = isHeldByProvider(api, body);
  const mayKeep = held && body.background !== true ? options.canStoreCall : undefined;
  const stateful: UnrepairedReason | undefined = held && mayKeep === undefined ? "server-state" : undefined;
  const blocked = settings.mode === "observe" ? "observe" : (stateful ?? options.blocked);
  // Nothing below may name the body itself: whatever one of these functions names, all of them hold.
  const again = (): Fields => reread() as Fields;
  const chosen = chosenTools(body.tool_choice);
  return {
    tools: client.map((tool) => new DecodedTool(tool, restore)),
    serverTools: new Set(restore([...server])),
    names: settings.mode === "any" ? "any" : "known",
    isAllowed: allowedBy(settings.allow ?? [], settings.deny ?? []),
    context: () => restore(contextTexts(api, again(), MAX_CONTEXT_CHARS)),
    parallel: !oneAtATime(body),
    structured: wantsJson(body),
    thinkingFirst: api === "anthropic" && isObject(body.thinking) && body.thinking.type === "enabled",
    usedIds: () => idsIn(api, again()),
    shortIds: () => api === "chat" && usesShortIds(again()),
    randomAlphanumeric: letters,
    ...(chosen !== undefined && { chosenTools: new Set(restore([...chosen])) }),
    ...(blocked !== undefined && { blocked }),
    ...(mayKeep !== undefined && { canStoreCall: mayKeep }),
    ...(settings.maxCandidate !== undefined && { maxCandidate: settings.maxCandidate }),
    ...(settings.strictCommands !== undefined && { strictCommands: settings.strictCommands }),
  };
}

function always(body: unknown): () => unknown {
  return () => body;
}

function same<T>(value: T): T {
  return value;
}

function forbidsTools({ tool_choice: choice }: Fields): boolean {
  return choice === "none" || (isObject(choice) && choice.type === "none");
}

function oneAtATime({ parallel_tool_calls: parallel, tool_choice: choice }: Fields): boolean {
  return parallel === false || (isObject(choice) && choice.disable_parallel_tool_use === true);
}

/** JSON as the answer itself. */
function wantsJson(body: Fields): boolean {
  const { response_format, text: words, output_format, output_config } = body;
  const asked = [
    response_format,
    isObject(words) ? words.format : undefined,
    output_format,
    isObject(output_config) ? output_config.format : undefined,
  ];
  return asked.some((format) => isObject(format) && (text(format.type) ?? "").startsWith("json"));
}

/** A conversation that the provider holds would not have the call that the client answers. */
function isHeldByProvider(api: Api, body: Fields): boolean {
  if (api !== "responses") return false;
  const stateless = body.store === false && body.background !== true && body.conversation == null;
  return !stateless || body.previous_response_id != null;
}

function usesShortIds(body: Fields): boolean {
  const ids = [...idsIn("chat", body)];
  return MISTRAL.test(text(body.model) ?? "") || (ids.length > 0 && ids.every((id) => SHORT_ID.test(id)));
}

function idsIn(api: Api, body: Fields): ReadonlySet<string> {
  return new Set(WIRE[api].decodeRequest(body)?.calls.map(({ id }) => id));
}

/** Words of the three APIs that leave the choice to the model. */
const FREE = new Set<unknown>(["auto", "any", "required", "none"]);

/**
 * The names of the tools that a request's `tool_choice` limits the model to; undefined: all. A choice of a tool that the
 * provider runs leaves none.
 */
export function chosenTools(choice: unknown): ReadonlySet<string> | undefined {
  if (!isObject(choice) || FREE.has(choice.type)) return undefined;
  if (choice.type !== "allowed_tools") return new Set(namesOf(choice));
  const allowed = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  return new Set(objects(allowed.tools).flatMap(namesOf));
}

/** `{type, name}`, or Chat's `{type: "function", function: {name}}`. */
function namesOf(entry: Fields): readonly string[] {
  const kind = entry.type === "custom" ? "custom" : "function";
  if (entry.type !== undefined && entry.type !== "tool" && entry.type !== kind) return [];
  const nested = entry[kind];
  const name = isObject(nested) ? text(nested.name) : text(entry.name);
  return name === undefined ? [] : [name, qualified(text(entry.namespace), name)];
}
