import { field } from "../wire/gemini/fields.ts";
import { isMessageThread } from "../wire/identity.ts";
import { WIRE } from "../wire/index.ts";
import { type Fields, isObject, objects, omitUndefined, text } from "../wire/json.ts";
import { qualified } from "../wire/responses-items.ts";
import type { CallRepairMode, CallRepairOptions } from "./calls/types.ts";
import { DecodedTool, type RequestTools, requestTools } from "./client-tools.ts";
import { contextTexts } from "./context-texts.ts";
import type { RepairMode } from "./modes.ts";
import { allowedBy, isFaultEnabled } from "./repair-policy.ts";
import { resolveToolName } from "./resolve-tool-name.ts";
import type { Api, ClientTool, RepairOptions, UnrepairedReason } from "./types.ts";

/** How native calls are repaired. */
export interface CallRepairSettings {
  readonly mode: CallRepairMode;
  /** Classes or groups of faults that are switched on or off; all others are on. */
  readonly faults?: Readonly<Record<string, boolean>>;
  /** Tools whose calls stay unchanged, as patterns. */
  readonly deny?: readonly string[];
}

/** Repair settings of the user. */
export interface RepairSettings {
  readonly mode: RepairMode;
  /** Absent: native calls are not checked. */
  readonly calls?: CallRepairSettings;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Maximum length of a buffered candidate, in UTF-16 code units. */
  readonly maxCandidateChars?: number;
  /** Also treat a leak as an echo if its command occurs in a user message or a tool result as plain text. */
  readonly strictCommands?: boolean;
}

export interface ReadRequestOptions {
  readonly settings: RepairSettings;
  readonly randomAlphanumeric: (length: number) => string;
  /** Decodes strings that were parsed from raw bytes; see the proxy's body text. */
  readonly decodeUtf8?: <T>(value: T) => T;
  /**
   * Whether the server rejects a turn with calls that does not start with thinking while thinking is on; default true,
   * as Anthropic does. Gateways that serve other models under its API return no thinking, and do not require it.
   */
  readonly enforcesThinking?: boolean;
  /** Forbids all changes for this reason, even if the request allows them. */
  readonly blocked?: UnrepairedReason;
  /**
   * For stored conversations: whether a call can be stored, so that it can be inserted before its result later. Without
   * this function, such conversations are not repaired.
   */
  readonly canStoreCall?: (argumentsText: string) => boolean;
  /** Parses the body again. Rarely needed, and keeping the parsed body until the response ends would cost more. */
  readonly reread?: () => unknown;
}

const MAX_CONTEXT_CHARS = 4 << 20;
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;
const MISTRAL = /mistral|ministral|magistral|devstral|codestral|pixtral|mixtral/i;

/**
 * What may be repaired in the response to a request; undefined if nothing may be, because the client has no tools or
 * none is allowed.
 */
export function readRepairOptions(api: Api, body: unknown, options: ReadRequestOptions): RepairOptions | undefined {
  const { settings, randomAlphanumeric, decodeUtf8 = identity, reread = always(body) } = options;
  const ignoresLeaks = settings.mode === "off";
  const checksCalls = settings.calls !== undefined && settings.calls.mode !== "off";
  if ((ignoresLeaks && !checksCalls) || !isObject(body) || forbidsTools(api, body)) return undefined;
  const { client, server } = readTools(api, body, decodeUtf8);
  // The tools of a message thread are declared in its first request only. Its leaks are reported, never repaired.
  const continuesThread = api === "anthropic" && isObject(body.thread) && body.thread.type === "continue";
  if (client.length === 0 && !continuesThread) return undefined;
  const isStored = isStoredByProvider(api, body);
  // Nothing can be inserted into a message thread: its messages must alternate, and the leak is the last one.
  const isRestorable = isStored && body.background !== true && api === "responses";
  const canStoreCall = isRestorable ? options.canStoreCall : undefined;
  const stateful: UnrepairedReason | undefined = isStored && canStoreCall === undefined ? "server-state" : undefined;
  // The closures below share one scope, so none of them may reference `body`: all of them would retain it.
  const parseAgain = (): Fields => {
    const again = reread();
    return isObject(again) ? again : {};
  };
  const chosen = api === "gemini" ? allowedFunctions(body) : chosenTools(body.tool_choice);
  const tools = client;
  const blocked = settings.mode === "observe" ? ("observe" as const) : (stateful ?? options.blocked);
  const renamesLater = !ignoresLeaks && blocked === undefined;
  return omitUndefined({
    tools,
    ignoresLeaks: ignoresLeaks ? true : undefined,
    calls:
      checksCalls && client.length > 0
        ? callOptions(settings, options.blocked === "suspended", renamesLater, tools)
        : undefined,
    serverTools: server,
    names: settings.mode === "any" || client.length === 0 ? ("any" as const) : ("known" as const),
    isAllowed: allowedBy(settings.allow ?? [], settings.deny ?? []),
    context: () => decodeUtf8(contextTexts(api, parseAgain(), MAX_CONTEXT_CHARS)),
    parallel: !allowsOneCallOnly(body),
    structured: requestsJson(api, body),
    signsCalls: api === "gemini" && SIGNED_MODELS.test(text(body.model) ?? "") ? true : undefined,
    thinkingFirst:
      api === "anthropic" &&
      options.enforcesThinking !== false &&
      isObject(body.thinking) &&
      body.thinking.type === "enabled",
    usedIds: () => idsIn(api, parseAgain()),
    shortIds: () => api === "chat" && usesShortIds(parseAgain()),
    randomAlphanumeric,
    chosenTools: chosen && new Set(decodeUtf8([...chosen])),
    blocked,
    canStoreCall,
    maxCandidateChars: settings.maxCandidateChars,
    strictCommands: settings.strictCommands,
  });
}

type DecodeUtf8 = NonNullable<ReadRequestOptions["decodeUtf8"]>;

interface KnownTools {
  readonly api: Api;
  readonly decodeUtf8: DecodeUtf8;
  readonly tools: RequestTools;
}

/** For frozen lists: a proxy that caches a conversation passes the same list repeatedly. */
const KNOWN_TOOLS = new WeakMap<object, KnownTools>();

/** The tools of a request, with decoded names. */
function readTools(api: Api, body: Fields, decodeUtf8: DecodeUtf8): RequestTools {
  // The Responses API also declares tools within the history.
  const list = api !== "responses" && Array.isArray(body.tools) && Object.isFrozen(body.tools) ? body.tools : undefined;
  const known = list && KNOWN_TOOLS.get(list);
  if (known?.api === api && known.decodeUtf8 === decodeUtf8) return known.tools;
  const { client, server } = requestTools(api, body);
  // Allows their compiled forms to be cached, too.
  if (list !== undefined) for (const { parameters } of client) Object.freeze(parameters);
  const tools = {
    client: client.map((tool) => new DecodedTool(tool, decodeUtf8)),
    server: new Set(decodeUtf8([...server])),
  };
  if (list !== undefined) KNOWN_TOOLS.set(list, { api, decodeUtf8, tools });
  return tools;
}

/** How native calls are repaired. `renamesLater`: leak repair corrects the names it knows. */
export function callOptions(
  { calls, allow = [], deny = [] }: RepairSettings,
  isSuspended: boolean,
  renamesLater: boolean,
  tools: readonly ClientTool[],
): CallRepairOptions {
  const { mode, faults = {}, deny: denied = [] } = calls ?? { mode: "off" };
  const blocked = mode === "observe" ? "observe" : isSuspended ? "suspended" : undefined;
  return {
    ...(blocked !== undefined && { blocked }),
    isEnabled: (fault) => isFaultEnabled(faults, fault),
    isAllowed: allowedBy(allow, [...deny, ...denied]),
    isRenamedLater: (written) =>
      renamesLater && resolveToolName(written, new Map(tools.map((tool) => [tool.name, tool]))) !== undefined,
  };
}

function always(body: unknown): () => unknown {
  return () => body;
}

function identity<T>(value: T): T {
  return value;
}

/** Models that reject a history in which the first call of a turn has no thought signature. */
const SIGNED_MODELS = /gemini-(?:[3-9]|\d{2})/;

export function forbidsTools(api: Api, body: Fields): boolean {
  if (api === "gemini") return functionCalling(body).mode === "NONE";
  const { tool_choice: choice } = body;
  return choice === "none" || (isObject(choice) && choice.type === "none");
}

function allowsOneCallOnly({ parallel_tool_calls: parallel, tool_choice: choice }: Fields): boolean {
  return parallel === false || (isObject(choice) && choice.disable_parallel_tool_use === true);
}

/** True if the response itself must be JSON. */
function requestsJson(api: Api, body: Fields): boolean {
  if (api === "ollama") return body.format !== undefined && body.format !== null && body.format !== "";
  if (api === "gemini") {
    const generation = field(body, "generationConfig");
    return isObject(generation) && text(field(generation, "responseMimeType"))?.endsWith("json") === true;
  }
  const { response_format, text: textOptions, output_format, output_config } = body;
  const formats = [
    response_format,
    isObject(textOptions) ? textOptions.format : undefined,
    output_format,
    isObject(output_config) ? output_config.format : undefined,
  ];
  return formats.some((format) => isObject(format) && (text(format.type) ?? "").startsWith("json"));
}

/** True for a stored conversation. It lacks the repaired call whose result the client sends next. */
export function isStoredByProvider(api: Api, body: Fields): boolean {
  if (api === "anthropic") return isMessageThread(body);
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

function functionCalling(body: Fields): Fields {
  const tools = field(body, "toolConfig");
  const config = isObject(tools) ? field(tools, "functionCallingConfig") : undefined;
  return isObject(config) ? config : {};
}

function allowedFunctions(body: Fields): ReadonlySet<string> | undefined {
  const names = field(functionCalling(body), "allowedFunctionNames");
  const allowed = Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  return allowed.length === 0 ? undefined : new Set(allowed);
}

/** Values of `tool_choice` in the three APIs that do not name tools. */
const UNRESTRICTED = new Set<unknown>(["auto", "any", "required", "none"]);

/**
 * Names of the tools that a request's `tool_choice` limits the model to; undefined if it allows all. Empty if the
 * choice is a tool that the provider runs.
 */
export function chosenTools(choice: unknown): ReadonlySet<string> | undefined {
  if (!isObject(choice) || UNRESTRICTED.has(choice.type)) return undefined;
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
