import { isArray, isObject, objects, text } from "./json.ts";

/**
 * The start of the system prompt, wherever the API puts it; empty if there is none. Clients that send only the name of
 * an SDK introduce themselves here.
 */
export function systemStart(body: unknown): string {
  if (!isObject(body)) return "";
  const messages = body.messages ?? body.input;
  // Not a list of all objects: a history has hundreds, and only the first counts.
  const first = isArray(messages) ? messages.find(isObject) : undefined;
  const isSystem = first?.role === "system" || first?.role === "developer";
  const instruction = body.systemInstruction ?? body.system_instruction;
  return (
    firstText(body.system) ??
    firstText(body.instructions) ??
    (isSystem ? firstText(first.content) : undefined) ??
    (isObject(instruction) ? firstText(instruction.parts) : undefined) ??
    ""
  );
}

function firstText(content: unknown): string | undefined {
  return text(content) ?? text(objects(content)[0]?.text);
}
