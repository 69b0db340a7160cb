import { hasSpecifics } from "./specifics.ts";

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
  const wrapped = wrappedReason(object) ?? raised(object);
  if (wrapped !== undefined) {
    return wrapped;
  }
  for (const field of REASON_FIELDS) {
    const capital = field.charAt(0).toUpperCase() + field.slice(1);
    const value = Object.hasOwn(object, field)
      ? object[field]
      : Object.hasOwn(object, capital)
        ? object[capital]
        : undefined;
    const found = textOf(value, depth - 1) ?? (LISTS_FIELDS.has(field) ? firstFieldIn(value) : undefined);
    if (found !== undefined) {
      return field === "stderr" ? joined(object, found) : withDetails(object, found);
    }
  }
  return undefined;
}

/** What a gateway of many services calls the error of one, with the service's own object beside it. */
const VAGUE_ERROR = " error...";

/** `{"error": "Message error...", "response": "{'message': 'Missing parameter x'}"}` */
function wrappedReason({ error, response }: Readonly<Record<string, unknown>>): string | undefined {
  const isWrapped = typeof error === "string" && error.endsWith(VAGUE_ERROR) && typeof response === "string";
  const message = isWrapped ? quotedValue(response, 0, "message") : undefined;
  return message === undefined ? undefined : `${error} ${message}`;
}

/** What a notebook reports of an exception. */
function raised({ ename, evalue }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof ename === "string" && typeof evalue === "string" ? `${ename}: ${evalue}` : undefined;
}

/** Fields whose value may list what is wrong by the name of an argument: `{"errors": {"team": ["is required"]}}`. */
const LISTS_FIELDS = new Set(["error", "errors", "details", "fieldErrors", "field_errors"]);

function firstFieldIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return undefined;
  }
  for (const [name, complaint] of Object.entries(value).slice(0, 5)) {
    const text = Array.isArray(complaint) ? complaint[0] : complaint;
    if (typeof text === "string" && text.includes(" ")) {
      return `${name}: ${text}`;
    }
  }
  return undefined;
}

/** A value, or the first one of a list. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** The message in a list of errors: `{"message": "Validation Failed", "errors": [{"message": "…"}]}`. */
function firstMessageIn(list: unknown): string | undefined {
  const error: unknown = Array.isArray(list) ? list[0] : undefined;
  if (typeof error === "string") {
    return error;
  }
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : undefined;
}

/** Fields that explain a title such as "Too Many Requests". */
const TEXT_FIELDS = ["message", "detail", "description"];

/** Adds the HTTP status the sentence and the argument that a message is about, if they are fields beside it. */
function withDetails(object: Readonly<Record<string, unknown>>, message: string): string {
  const { status, statusCode, code, path, loc, errors, details } = object;
  const text = hasSpecifics(message)
    ? undefined
    : TEXT_FIELDS.map((field) => firstOf(object[field])).find(
        (value) => typeof value === "string" && value.includes(" "),
      );
  const title = text === undefined || text === message ? message : `${message}: ${text}`;
  const number = [status, statusCode, code].find((value) => typeof value === "number" && value >= 400 && value < 600);
  const place = [path, loc].find((value) => Array.isArray(value) && value.length > 0 && value.length < 8);
  const field = hasSpecifics(title)
    ? undefined
    : (firstFieldIn(errors) ?? firstFieldIn(details) ?? firstMessageIn(errors) ?? firstMessageIn(details));
  const named = Array.isArray(place)
    ? `${place.join(".")}: ${title}`
    : field === undefined || field.includes(title)
      ? title
      : `${title} ${field}`;
  return number === undefined || named.includes(String(number)) ? named : `${named} (${number})`;
}

/** A program may print its reason to either stream. */
function joined(object: Readonly<Record<string, unknown>>, stderr: string): string {
  const { output, stdout = output } = object as { readonly output?: unknown; readonly stdout?: unknown };
  return typeof stdout === "string" && stdout.trim() !== "" ? `${stdout}\n${stderr}` : stderr;
}

/** Keys of a reason in an object at the end of a line, best first. */
const INNER_KEYS = "userPresentableMessage message msg error_description detail error reason description".split(" ");

/**
 * Replaces an object at the end of a line by its reason: `Error code: 401 - {'error': {'message': 'Key expired'}}`. The
 * object may be that of another language, or cut.
 */
export function withoutObject(line: string): string {
  const double = line.indexOf('{"');
  const single = line.indexOf("{'");
  const start = double === -1 ? single : single === -1 ? double : Math.min(double, single);
  if (start <= 0) {
    return line;
  }
  const list = line.charAt(start - 1) === "[" ? start - 1 : start;
  const lead = line.slice(0, list);
  for (const key of INNER_KEYS) {
    const value = quotedValue(line, start, key);
    if (value?.includes(" ") && !lead.includes(value)) {
      return lead + value;
    }
  }
  return line;
}

/** The text behind a key, up to its closing quote. */
function quotedValue(line: string, from: number, key: string): string | undefined {
  for (const quote of ['"', "'"]) {
    const at = line.indexOf(`${quote}${key}${quote}:`, from);
    const colon = at + key.length + 3;
    const open = at === -1 ? -1 : line.charAt(colon) === " " ? colon + 1 : colon;
    const mark = line.charAt(open);
    if (open !== -1 && (mark === '"' || mark === "'")) {
      return unescaped(line, open + 1, mark);
    }
  }
  return undefined;
}

function unescaped(line: string, from: number, mark: string): string {
  let value = "";
  for (let at = from; at < line.length && line.charAt(at) !== mark; at += 1) {
    const isEscape = line.charAt(at) === "\\";
    at += isEscape ? 1 : 0;
    value += isEscape && "nrt".includes(line.charAt(at)) ? " " : line.charAt(at);
  }
  return value;
}
