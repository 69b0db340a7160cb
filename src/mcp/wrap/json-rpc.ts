import { type Fields, isObject } from "../../core/model/narrow.ts";

export type RequestId = string | number;

/** The fields of a JSON-RPC message that the wrapper reads. */
export type Message =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Fields }
  | { readonly kind: "notification"; readonly method: string; readonly params: Fields }
  | { readonly kind: "response"; readonly id: RequestId; readonly result: Fields }
  | { readonly kind: "error"; readonly id: RequestId; readonly code: number; readonly message: string };

/** Parses a line. Empty for anything that is not a message. An array is a batch of protocol version 2025-03-26. */
export function parseMessages(line: string): readonly Message[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const message = toMessage(one);
    return message === undefined ? [] : [message];
  });
}

function toMessage(value: unknown): Message | undefined {
  if (!isObject(value)) return undefined;
  const { id, method, params, result, error } = value;
  if (typeof method === "string") {
    const fields = isObject(params) ? params : {};
    return isRequestId(id)
      ? { kind: "request", id, method, params: fields }
      : { kind: "notification", method, params: fields };
  }
  if (!isRequestId(id)) return undefined;
  if (isObject(result)) return { kind: "response", id, result };
  if (!isObject(error)) return undefined;
  const { code, message } = error;
  return {
    kind: "error",
    id,
    code: typeof code === "number" ? code : 0,
    message: typeof message === "string" ? message : "",
  };
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** The id as JSON: `1` and `"1"` are different ids. */
export function idKey(id: RequestId): string {
  return JSON.stringify(id);
}
