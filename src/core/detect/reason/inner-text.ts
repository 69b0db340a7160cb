/** Fields that contain the reason, best first. */
const REASON_FIELDS =
  "error stderr err exception message msg error_message errorMessage detail details reason description title fault errors output stdout result content text response data body info".split(
    " ",
  );

const MAX_DEPTH = 5;

/** Values without information. */
const EMPTY = new Set(["", "error", "failed", "failure", "false", "true", "none", "null", "exception"]);

/** Returns the text inside a JSON result that names its failure; undefined if it is not JSON or contains no text. */
export function innerText(json: string): string | undefined {
  // A thrown error costs more than everything else here.
  const first = json.charCodeAt(0);
  const last = json.charCodeAt(json.length - 1);
  if (!((first === 123 && last === 125) || (first === 91 && last === 93) || (first === 34 && last === 34))) {
    return undefined;
  }
  try {
    return textOf(JSON.parse(json), MAX_DEPTH);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") {
    return EMPTY.has(value.trim().toLowerCase()) ? undefined : value;
  }
  if (typeof value !== "object" || value === null || depth === 0) {
    return undefined;
  }
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 5)) {
      const found = textOf(item, depth - 1);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }
  const object = value as Readonly<Record<string, unknown>>;
  for (const field of REASON_FIELDS) {
    const found = Object.hasOwn(object, field) ? textOf(object[field], depth - 1) : undefined;
    if (found !== undefined) {
      return field === "stderr" ? joined(object, found) : withDetails(object, found);
    }
  }
  return undefined;
}

/** Adds the HTTP status and the argument that a message is about, if they are fields beside it. */
function withDetails(object: Readonly<Record<string, unknown>>, message: string): string {
  const { status, statusCode, code, path, loc } = object;
  const number = [status, statusCode, code].find((value) => typeof value === "number" && value >= 400 && value < 600);
  const place = [path, loc].find((value) => Array.isArray(value) && value.length > 0 && value.length < 8);
  const named = Array.isArray(place) ? `${place.join(".")}: ${message}` : message;
  return number === undefined || named.includes(String(number)) ? named : `${named} (${number})`;
}

/** A program may print its reason to either stream. */
function joined(object: Readonly<Record<string, unknown>>, stderr: string): string {
  const { output, stdout = output } = object as { readonly output?: unknown; readonly stdout?: unknown };
  return typeof stdout === "string" && stdout.trim() !== "" ? `${stdout}\n${stderr}` : stderr;
}
