import type { JsonObject } from "../../../../src/core/model/tool-call.ts";
import { arrayOf, objectOf, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { nameProblem, stringProblem, wrongType, wrongValue } from "./openai-messages.ts";
import { firstProblem, type Problem, type Rule, repeated } from "./rule.ts";

const CALL_ID_LENGTH = 64;
const NAME_LENGTH = 128;

/** The prefix of an item's id, by the item's type. Outputs too: Codex writes `fco_…` and `ctco_…`. */
const ID_PREFIXES: ReadonlyMap<string, string> = new Map([
  ["function_call", "fc"],
  ["function_call_output", "fc"],
  ["custom_tool_call", "ctc"],
  ["custom_tool_call_output", "ctc"],
  ["reasoning", "rs"],
]);

/** OpenAI's rules for Responses, in the order in which they are checked. */
export const OPENAI_RESPONSES_RULES: readonly Rule[] = [
  { name: "model-required", check: modelRequired },
  { name: "input-required", check: inputRequired },
  { name: "call-id-present", check: callIdPresent },
  { name: "item-id-prefix", check: itemIdPrefix },
  { name: "item-ids-unique", check: itemIdsUnique },
  { name: "call-name-pattern", check: callNamePattern },
  { name: "call-arguments-string", check: callArgumentsString },
  { name: "output-present", check: outputPresent },
  { name: "parts-by-role", check: partsByRole },
  { name: "reasoning-followed", check: reasoningFollowed },
  { name: "call-ids-unique", check: callIdsUnique },
  { name: "outputs-have-calls", check: outputsHaveCalls },
  { name: "calls-answered-once", check: callsHaveOneOutput },
  { name: "calls-have-outputs", check: callsHaveOutputs },
];

interface PlacedItem {
  /** `input[2]` */
  readonly path: string;
  readonly item: JsonObject;
  readonly type: string;
  readonly callId: string;
}

function placedItems(request: ParsedRequest): PlacedItem[] {
  return request.messages.map((value, index) => {
    const item = objectOf(value);
    const type = typeof item.type === "string" ? item.type : "message";
    return { path: `input[${index}]`, item, type, callId: textOf(item.call_id) };
  });
}

function isCall({ type }: PlacedItem): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

function isOutput({ type }: PlacedItem): boolean {
  return type === "function_call_output" || type === "custom_tool_call_output";
}

/** `function call`, `custom tool call`: how the API names the two kinds. */
function kindOf({ type }: PlacedItem): string {
  return type.startsWith("custom") ? "custom tool call" : "function call";
}

/** State on the server that this upstream does not have: it may contain calls unknown here. */
function hasServerState(request: ParsedRequest): boolean {
  const refersBack = request.body.previous_response_id != null || request.body.conversation != null;
  return refersBack && request.openCalls === undefined;
}

/** Calls and outputs in order, each output with the state its call was in. */
interface Ledger {
  readonly withoutOutput: ReadonlyMap<string, string>;
  readonly orphans: readonly PlacedItem[];
  readonly duplicates: readonly PlacedItem[];
  readonly reopened: readonly PlacedItem[];
}

function ledgerOf(request: ParsedRequest): Ledger {
  const open = new Map<string, string>([...(request.openCalls ?? [])].map((id) => [id, "function call"]));
  const closed = new Set<string>();
  const orphans: PlacedItem[] = [];
  const duplicates: PlacedItem[] = [];
  const reopened: PlacedItem[] = [];
  for (const item of placedItems(request)) {
    if (isCall(item)) {
      if (open.has(item.callId)) reopened.push(item);
      open.set(item.callId, kindOf(item));
      closed.delete(item.callId);
    } else if (isOutput(item)) {
      if (open.delete(item.callId)) closed.add(item.callId);
      else if (closed.has(item.callId)) duplicates.push(item);
      else orphans.push(item);
    }
  }
  return { withoutOutput: open, orphans, duplicates, reopened };
}

function modelRequired({ body }: ParsedRequest): Problem | undefined {
  if (textOf(body.model) !== "") return undefined;
  return { message: "Missing required parameter: 'model'.", param: "model", code: "missing_required_parameter" };
}

function inputRequired({ body }: ParsedRequest): Problem | undefined {
  const { input } = body;
  if (typeof input === "string" || Array.isArray(input)) return undefined;
  if (input === undefined && ["previous_response_id", "prompt", "conversation"].some((key) => body[key] != null)) {
    return undefined;
  }
  return input === undefined
    ? { message: "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided." }
    : wrongType("input", "one of a string or array of input items", input);
}

function callIdPresent(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedItems(request), (placed) =>
    isCall(placed) || isOutput(placed)
      ? stringProblem(`${placed.path}.call_id`, placed.item.call_id, CALL_ID_LENGTH)
      : undefined,
  );
}

function itemIdPrefix(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedItems(request), ({ path, item, type }) => {
    const prefix = type === "message" && item.role === "assistant" ? "msg" : ID_PREFIXES.get(type);
    const id = item.id;
    if (prefix === undefined || id === undefined || id === null) return undefined;
    if (typeof id !== "string") return wrongType(`${path}.id`, "a string", id);
    if (id.startsWith(prefix)) return undefined;
    return {
      message: `Invalid '${path}.id': '${id}'. Expected an ID that begins with '${prefix}'.`,
      param: `${path}.id`,
      code: "invalid_value",
    };
  });
}

function itemIdsUnique(request: ParsedRequest): Problem | undefined {
  const ids = placedItems(request).flatMap(({ item, type }) =>
    type !== "item_reference" && typeof item.id === "string" ? [item.id] : [],
  );
  return firstProblem(repeated(ids), (id) => ({
    message: `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
    param: "input",
  }));
}

function callNamePattern(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedItems(request), (placed) =>
    isCall(placed) ? nameProblem(`${placed.path}.name`, placed.item.name, NAME_LENGTH) : undefined,
  );
}

function callArgumentsString(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedItems(request), (placed) => {
    if (!isCall(placed)) return undefined;
    const field = placed.type === "function_call" ? "arguments" : "input";
    const value = placed.item[field];
    return typeof value === "string" ? undefined : wrongType(`${placed.path}.${field}`, "a string", value);
  });
}

function outputPresent(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedItems(request), (placed) => {
    const { output } = placed.item;
    if (!isOutput(placed) || typeof output === "string" || Array.isArray(output)) return undefined;
    return wrongType(`${placed.path}.output`, "one of an array of objects or string", output);
  });
}

function partsByRole(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedItems(request), ({ path, item, type }) => {
    if (type !== "message") return undefined;
    const fromModel = item.role === "assistant";
    const wrong = fromModel ? ["input_text", "text"] : ["output_text", "text"];
    const supported = fromModel ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
    return firstProblem(arrayOf(item.content).entries(), ([index, part]) => {
      const partType = textOf(objectOf(part).type);
      return wrong.includes(partType) ? wrongValue(`${path}.content[${index}]`, partType, supported) : undefined;
    });
  });
}

/** Reasoning belongs to the model's next item and is invalid without it. */
function reasoningFollowed(request: ParsedRequest): Problem | undefined {
  const items = placedItems(request);
  return firstProblem(items.entries(), ([place, { type, item }]) => {
    if (type !== "reasoning") return undefined;
    const next = items[place + 1];
    const isModels = next !== undefined && (next.type === "message" ? next.item.role === "assistant" : !isOutput(next));
    if (isModels) return undefined;
    return {
      message: `Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`,
      param: "input",
    };
  });
}

function callIdsUnique(request: ParsedRequest): Problem | undefined {
  return firstProblem(ledgerOf(request).reopened, ({ callId }) => ({
    message: `Duplicate function call found with call_id ${callId}.`,
    param: "input",
  }));
}

function outputsHaveCalls(request: ParsedRequest): Problem | undefined {
  if (hasServerState(request)) return undefined;
  return firstProblem(ledgerOf(request).orphans, (item) => ({
    message: `No tool call found for ${kindOf(item)} output with call_id ${item.callId}.`,
    param: "input",
  }));
}

function callsHaveOneOutput(request: ParsedRequest): Problem | undefined {
  return firstProblem(ledgerOf(request).duplicates, ({ callId }) => ({
    message: `Duplicate tool output found for call_id ${callId}.`,
    param: "input",
  }));
}

function callsHaveOutputs(request: ParsedRequest): Problem | undefined {
  return firstProblem(ledgerOf(request).withoutOutput, ([callId, kind]) => ({
    message: `No tool output found for ${kind} ${callId}.`,
    param: "input",
  }));
}
