import { readWholeJson } from "../../../json/read-json.ts";
import type { TextWindow } from "../../text/text-window.ts";

/** The fields of a result: of an object in JSON, of elements in XML, or of lines such as `outcome: declined`. */
export type Fields = Readonly<Record<string, unknown>>;

/** Longer results are data. */
const MAX_LENGTH = 4000;
const MAX_LINES = 16;
const MIN_LINES = 2;
const MAX_KEY = 32;
/** Objects around the result that say nothing themselves. */
const MAX_WRAPPERS = 3;

/** Reads the fields of a short result; undefined if it has none. */
export function resultFields({ text, start, end }: TextWindow): Fields | undefined {
  if (end - start > MAX_LENGTH) {
    return undefined;
  }
  const whole = text.slice(start, end);
  if (whole.startsWith("<")) {
    return fieldsOfElements(whole);
  }
  return whole.startsWith("{") ? (whole.endsWith("}") ? unwrapped(parsed(whole)) : undefined) : fieldsOfLines(whole);
}

const MAX_ELEMENTS = 40;

/** The elements of XML that hold only text; a page of HTML has no fields. */
function fieldsOfElements(text: string): Fields | undefined {
  const entries: [string, unknown][] = [];
  for (let open = text.indexOf("<"); open !== -1 && entries.length < MAX_ELEMENTS; open = text.indexOf("<", open + 1)) {
    const close = text.indexOf(">", open);
    const next = text.indexOf("<", open + 1);
    const name = text.slice(open + 1, close).split(" ", 1)[0] ?? "";
    if (open === 0 && (name.toLowerCase() === "html" || name.startsWith("!"))) {
      return undefined;
    }
    if (close !== -1 && next > close + 1 && name !== "" && text.startsWith(`</${name}>`, next)) {
      const value = text.slice(close + 1, next).trim();
      const word = value.toLowerCase();
      const key = name.slice(name.indexOf(":") + 1);
      entries.push([key, Object.hasOwn(WORDS, word) ? WORDS[word] : numberIn(value)]);
    }
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Reads JSON, and what Python prints of a dictionary. */
function parsed(text: string): Fields | undefined {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    const value = text.includes("'") ? readWholeJson(text)?.value : undefined;
    return isFields(value) ? value : undefined;
  }
}

/** `{"result": {…}}`: the fields of the only object. */
function unwrapped(object: Fields | undefined): Fields | undefined {
  let fields = object;
  for (let depth = 0; depth < MAX_WRAPPERS && fields !== undefined; depth += 1) {
    const [only, ...others]: readonly unknown[] = Object.values(fields);
    if (others.length > 0 || !isFields(only)) {
      break;
    }
    fields = only;
  }
  return fields;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The values of a line that are not text. */
const WORDS: Readonly<Record<string, unknown>> = {
  no: false,
  false: false,
  yes: true,
  true: true,
  none: null,
  null: null,
};

/** Lines that all have a key: a form, not a text. */
function fieldsOfLines(text: string): Fields | undefined {
  const lines = text.split("\n", MAX_LINES + 1);
  if (lines.length < MIN_LINES || lines.length > MAX_LINES) {
    return undefined;
  }
  const entries: [string, unknown][] = [];
  for (const line of lines) {
    const colon = line.search(/[:=]/);
    const key = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    if (colon <= 0 || colon > MAX_KEY || value === "" || !/^\p{L}/u.test(key)) {
      return undefined;
    }
    const word = value.toLowerCase();
    entries.push([key, Object.hasOwn(WORDS, word) ? WORDS[word] : numberIn(value)]);
  }
  return Object.fromEntries(entries);
}

/** `3`, and of `0 / 40` or `0 of 40` the first number. */
function numberIn(value: string): unknown {
  const first = value.replace(/ (?:\/|of) \d+$/, "");
  return first !== "" && Number.isInteger(Number(first)) ? Number(first) : value;
}

/** Cache of keys split into words. Cleared when full. */
const known = new Map<string, readonly string[]>();
const KNOWN_LIMIT = 1000;

/** The words of a key: `rejectReason` and `reject_reason` have two. */
export function wordsOfKey(key: string): readonly string[] {
  let words = known.get(key);
  if (words === undefined) {
    words = key
      .slice(0, MAX_KEY * 2)
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "");
    if (known.size >= KNOWN_LIMIT) {
      known.clear();
    }
    known.set(key, words);
  }
  return words;
}

export function isBlank(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

const VERDICTS = ["valid", "isValid", "passed", "conforms"];

/** Names of an identity: the errors and states of a thing that has one are its own. */
const IDENTITIES = ["id", "_id", "sid", "uuid", "guid"];

export function isEntity(fields: Fields): boolean {
  return IDENTITIES.some((key) => fields[key] !== undefined && fields[key] !== null);
}

/** Whether the fields are the verdict of a validator, whose errors are its result. */
export function isVerdict(fields: Fields): boolean {
  return VERDICTS.some((key) => key in fields);
}
