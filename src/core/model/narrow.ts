/** Checks that the compiler understands, for untrusted values and for values that are known to exist. */
export type Fields = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Also true for arrays, whose names are their indexes. */
export function hasFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object";
}

/** Like `Array.isArray`, which makes the items of an unknown value `any`. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isOneOf<T>(values: readonly T[], value: unknown): value is T {
  return values.some((one) => one === value);
}

/** The names of an object whose type is exact: the object has no others. */
export function keysOf<T extends object>(value: T): readonly (keyof T & string)[] {
  // `Object.keys` returns strings, because in general an object may have more properties than its type.
  return Object.keys(value) as (keyof T & string)[];
}

/** The value of a lookup that cannot fail. If it does, that is a bug, and the bug must not continue as `undefined`. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("A value that must be present is missing.");
  return value;
}
