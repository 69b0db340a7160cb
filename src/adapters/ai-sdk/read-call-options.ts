import { contextTexts } from "../../core/repair/context-texts.ts";
import { allowedBy, type ClientTool, type RepairOptions, type RepairSettings } from "../../core/repair/index.ts";
import { type Fields, isObject, objects } from "../../core/wire/json.ts";
import type { Api } from "../../core/wire/turn.ts";
import { randomId } from "../support.ts";
import type { CallOptions, Model } from "./model-types.ts";

const MAX_CONTEXT_CHARS = 4 << 20;

/** Whose rules for names and ids hold: what these take is taken by the others. */
export function apiOfModel({ provider, modelId }: Model): Api {
  if (/anthropic|bedrock|claude/i.test(`${provider} ${modelId}`)) return "anthropic";
  return provider.endsWith(".responses") ? "responses" : "chat";
}

/** What may be mended in the answer to a call of a model; undefined when nothing may. */
export function readCallOptions(
  params: CallOptions,
  model: Model,
  settings: RepairSettings,
): RepairOptions | undefined {
  const client: ClientTool[] = [];
  const server = new Set<string>();
  for (const tool of params.tools ?? []) {
    if (tool.type === "function")
      client.push({ name: tool.name, description: tool.description, parameters: tool.inputSchema });
    else server.add(tool.name);
  }
  if (settings.mode === "off" || client.length === 0 || params.toolChoice?.type === "none") return undefined;
  const asked = Object.values(params.providerOptions ?? {}).filter(isObject);
  const blocked =
    settings.mode === "observe" ? "observe" : holdsConversation(model, asked) ? "server-state" : undefined;
  return {
    tools: client,
    serverTools: server,
    names: settings.mode === "any" ? "any" : "known",
    isAllowed: allowedBy(settings.allow ?? [], settings.deny ?? []),
    context: () => contextTexts("chat", { messages: givenTo(params.prompt) }, MAX_CONTEXT_CHARS),
    parallel: !asked.some((own) => own.parallelToolCalls === false || own.disableParallelToolUse === true),
    structured: params.responseFormat?.type === "json",
    thinkingFirst: asked.some(({ thinking }) => isObject(thinking) && thinking.type === "enabled"),
    usedIds: () => usedIds(params.prompt),
    shortIds: () => /mistral/i.test(`${model.provider} ${model.modelId}`),
    randomAlphanumeric: randomId,
    ...(params.toolChoice?.type === "tool" && { chosenTools: new Set([params.toolChoice.toolName]) }),
    ...(blocked !== undefined && { blocked }),
    ...(settings.maxCandidate !== undefined && { maxCandidate: settings.maxCandidate }),
    ...(settings.strictCommands !== undefined && { strictCommands: settings.strictCommands }),
  };
}

/** The Responses API refers to what it stored, and that would not have the call. */
function holdsConversation({ provider }: Model, asked: readonly Fields[]): boolean {
  if (!provider.endsWith(".responses")) return false;
  return (
    !asked.some(({ store }) => store === false) ||
    asked.some((own) => own.previousResponseId != null || own.conversation != null)
  );
}

/** The messages without files: those of the model hold results of the provider's tools at most. */
function givenTo(prompt: CallOptions["prompt"]): readonly Fields[] {
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
