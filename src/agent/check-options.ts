/** What an option must be. The compiler does not see options from JavaScript, JSON or `any`. */
export interface Check {
  readonly expected: string;
  isValid(value: unknown): boolean;
  /** Texts are shown in the error. Others may be secrets. */
  readonly showsTexts?: true;
}

export type Checks<Name extends string = string> = { readonly [option in Name]: Check };

export const MAX_TIMER_MS = 2 ** 31 - 1;

const check = (expected: string, isValid: (value: unknown) => boolean): Check => ({ expected, isValid });
const isText = (value: unknown): boolean => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const anything = check("anything", () => true);
export const flag = check("true or false", (value) => typeof value === "boolean");
export const text = check("a text", isText);
export const callback = check("a function", isFunction);
export const object = check("an object", isObject);
export const functions = listOf("functions", isFunction);
export const milliseconds = check(
  `a time from 1 to ${MAX_TIMER_MS} ms`,
  (value) => typeof value === "number" && value > 0 && value <= MAX_TIMER_MS,
);
export const between = (least: number, most: number): Check =>
  check(`a number from ${least} to ${most}`, (value) => typeof value === "number" && value >= least && value <= most);
export const positive = check("a number above 0", (value) => typeof value === "number" && value > 0);
export const notNegative = check("a number from 0", (value) => typeof value === "number" && value >= 0);
export const clock = withMethods("a Clock", "now", "sleep", "random");
export const abortSignal = withMethods("an AbortSignal", "addEventListener", "removeEventListener");

/** A whole number, or infinity. */
export function count(least: number): Check {
  return check(
    `a whole number from ${least}`,
    (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= least),
  );
}

export function oneOf(...values: readonly string[]): Check {
  const expected = `one of ${values.join(", ")}`;
  return { expected, isValid: (value) => values.some((allowed) => allowed === value), showsTexts: true };
}

export function either(expected: string, ...checks: readonly Check[]): Check {
  return check(expected, (value) => checks.some(({ isValid }) => isValid(value)));
}

export function withMethods(expected: string, ...names: readonly string[]): Check {
  return check(expected, (value) => isObject(value) && names.every((name) => isFunction(Reflect.get(value, name))));
}

/** An object with a value for each of any names. */
export function recordOf(expected: string, isValid: (value: unknown) => boolean): Check {
  return check(expected, (value) => isObject(value) && Object.values(value).every(isValid));
}

export function listOf(what: string, isValid: (value: unknown) => boolean): Check {
  return check(`a list of ${what}`, (value) => Array.isArray(value) && value.every(isValid));
}

/**
 * Throws for an option that is not known or not valid: otherwise it would have no effect, or fail in the middle of a
 * conversation. Undefined means not set.
 *
 * @param owner what the options belong to, at the start of the message; empty for a run
 * @param within the option whose parts are checked
 * @param required options that must be set
 */
export function checkOptions(
  owner: string,
  options: unknown,
  checks: Checks,
  within = "",
  required: readonly string[] = [],
): void {
  checkOption(owner, within || "options", options, object);
  const values = options as object;
  for (const name of new Set([...Object.keys(values), ...required])) {
    const value: unknown = Reflect.get(values, name);
    const path = within === "" ? name : `${within}.${name}`;
    if (value === undefined && !required.includes(name)) continue;
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (known === undefined)
      throw new TypeError(`${named(owner, path)} is not an option. Options: ${Object.keys(checks).join(", ")}.`);
    checkOption(owner, path, value, known);
  }
}

export function checkOption(
  owner: string,
  path: string,
  value: unknown,
  { expected, isValid, showsTexts }: Check,
): void {
  if (!isValid(value))
    throw new (typeof value === "number" ? RangeError : TypeError)(
      `${named(owner, path)} must be ${expected}, but is ${shown(value, showsTexts)}.`,
    );
}

function named(owner: string, path: string): string {
  return owner === "" ? path : `${owner}: '${path}'`;
}

/** A value in a message. Texts may be secrets. */
function shown(value: unknown, showsTexts = false): string {
  if (typeof value === "string") return showsTexts ? JSON.stringify(value.slice(0, 100)) : "a string";
  if (typeof value === "function") return "a function";
  return isObject(value) ? "an object" : Array.isArray(value) ? "a list" : String(value);
}
