/**
 * Arguments as they may stand in a history: an object, always. What could not be read as one is kept as text under one
 * name, so that the model sees what it wrote and every API takes it.
 */
export function argumentsObject(input: unknown): { readonly [key: string]: unknown } {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as { [key: string]: unknown };
  if (typeof input === "string") {
    try {
      const value: unknown = JSON.parse(input);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as { [key: string]: unknown };
    } catch {
      // Not an object in JSON.
    }
  }
  return input === undefined || input === null || input === "" ? {} : { unreadable_arguments: input };
}
