import { type Fields, isObject, objects, text } from "../wire/json.ts";
import { qualified } from "../wire/openai-responses/items.ts";

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
