import { contextTexts } from "../../core/repair/context-texts.ts";
import { allowedBy, type ClientTool, type RepairOptions, type RepairSettings } from "../../core/repair/index.ts";
import { callOptions } from "../../core/repair/read-request.ts";
import { type Fields, isObject, objects, omitUndefined } from "../../core/wire/json.ts";
import type { Api } from "../../core/wire/turn.ts";
import { randomId } from "../support.ts";
import type { CallOptions, Model } from "./repair-generated.ts";

const MAX_CONTEXT_CHARS = 4 << 20;

/** The API whose rules for names and ids apply. Providers other than Anthropic and Responses get the rules of Chat. */
export function apiOfModel({ provider, modelId }: Model): Api {
  if (/anthropic|bedrock|claude/i.test(`${provider} ${modelId}`)) return "anthropic";
  return provider.endsWith(".responses") ? "responses" : "chat";
}

/** What may be repaired in the response to a model call; undefined if nothing may be. */
export function readCallOptions(
  params: CallOptions,
  model: Model,
  settings: RepairSettings,
): RepairOptions | undefined {
  const { client, server } = splitTools(params.tools);
  const ignoresLeaks = settings.mode === "off";
  const checksCalls = settings.calls !== undefined && settings.calls.mode !== "off";
  if ((ignoresLeaks && !checksCalls) || client.length === 0 || params.toolChoice?.type === "none") return undefined;
  const providerOptions = Object.values(params.providerOptions ?? {}).filter(isObject);
  const stateful = isStoredByProvider(model, providerOptions) ? ("server-state" as const) : undefined;
  return omitUndefined({
    tools: client,
    serverTools: server,
    names: settings.mode === "any" ? ("any" as const) : ("known" as const),
    isAllowed: allowedBy(settings.allow ?? [], settings.deny ?? []),
    context: () => contextTexts("chat", { messages: withoutFiles(params.prompt) }, MAX_CONTEXT_CHARS),
    parallel: !providerOptions.some(
      (options) => options.parallelToolCalls === false || options.disableParallelToolUse === true,
    ),
    structured: params.responseFormat?.type === "json",
    thinkingFirst: providerOptions.some(({ thinking }) => isObject(thinking) && thinking.type === "enabled"),
    usedIds: () => usedIds(params.prompt),
    shortIds: () => /mistral/i.test(`${model.provider} ${model.modelId}`),
    randomAlphanumeric: randomId,
    chosenTools: params.toolChoice?.type === "tool" ? new Set([params.toolChoice.toolName]) : undefined,
    ignoresLeaks: ignoresLeaks ? true : undefined,
    calls: checksCalls ? callOptions(settings, false, false, client) : undefined,
    blocked: settings.mode === "observe" ? ("observe" as const) : stateful,
    maxCandidateChars: settings.maxCandidateChars,
    strictCommands: settings.strictCommands,
  });
}
export function splitTools(tools: CallOptions["tools"]): {
  client: readonly ClientTool[];
  server: ReadonlySet<string>;
} {
  const client: ClientTool[] = [];
  const server = new Set<string>();
  for (const tool of tools ?? []) {
    if (tool.type === "function")
      client.push({ name: tool.name, description: tool.description, parameters: tool.inputSchema });
    else server.add(tool.name);
  }
  return { client, server };
}

/** True for a stored conversation of the Responses API, which would lack the repaired call. */
export function isStoredByProvider({ provider }: Model, providerOptions: readonly Fields[]): boolean {
  if (!provider.endsWith(".responses")) return false;
  return (
    !providerOptions.some(({ store }) => store === false) ||
    providerOptions.some((options) => options.previousResponseId != null || options.conversation != null)
  );
}

/** The messages without files. `contextTexts` uses only the provider's tool results of assistant messages. */
function withoutFiles(prompt: CallOptions["prompt"]): readonly Fields[] {
  return prompt.map(({ role, content }) => ({
    role,
    content: typeof content === "string" ? content : objects(content).filter(({ type }) => type !== "file"),
  }));
}

function usedIds(prompt: CallOptions["prompt"]): ReadonlySet<string> {
  return new Set(
    prompt.flatMap(({ role, content }) =>
      role === "assistant" ? content.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : [])) : [],
    ),
  );
}
