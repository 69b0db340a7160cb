/** What all safety checks share: the calls, the formats they are written in, and one case of a check. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type Arguments = { readonly [key: string]: JsonValue };

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: { readonly [key: string]: JsonValue };
}

export interface Call {
  readonly name: string;
  readonly arguments: Arguments;
}

export type ContextItem = string | { readonly role: "user" | "system" | "assistant" | "tool"; readonly text: string };

/** A call of the fixtures, with the texts around it that must not stop its repair. */
export interface FixtureCall extends Call {
  readonly id: string;
  /** What a user writes to ask for exactly this call, in words. */
  readonly request: string;
  /** A tool result that contains the same path, command or value as plain text. */
  readonly result: string;
  /** One more argument that the schema allows. */
  readonly extra: Arguments;
  /** The arguments of a documentation example of the same tool: nothing in common with the call. */
  readonly other: Arguments;
}

/** A call written in one format, as a model leaks it. */
export interface Leak {
  readonly id: string;
  readonly format: string;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly tools: readonly Tool[];
  /** True for formats that are a fenced block: beside other text they are a code example, not a call. */
  readonly fenced: boolean;
  /** True when the text contains reasoning: it cannot be placed in or after other reasoning. */
  readonly hasThoughts: boolean;
  /** The fixture behind the leak. Rows of a case file have none, and take part in fewer checks. */
  readonly fixture?: FixtureCall;
}

export type Section = "echo" | "mention" | "repair";

export interface SafetyCase {
  readonly section: Section;
  readonly format: string;
  /** The column of the table, such as a container or a repetition. */
  readonly check: string;
  /** The second dimension: a decoration, a frame, an announcement. */
  readonly detail: string;
  readonly leak: string;
  readonly text: string;
  readonly tools: readonly Tool[];
  readonly context: readonly ContextItem[];
  /** The calls that must be extracted. Empty: none, and the text must not change. */
  readonly expected: readonly Call[];
}

/** All cases of a section, addressed by number so that a sample costs only what it runs. */
export interface CaseSpace {
  readonly section: Section;
  readonly size: number;
  /** Undefined where a combination does not apply, such as reordered keys of a single argument. */
  at(index: number): SafetyCase | undefined;
}

/** Splits a number into one coordinate per dimension, the first dimension varying fastest. */
export function coordinates(index: number, sizes: readonly number[]): number[] {
  let remaining = index;
  return sizes.map((size) => {
    const coordinate = remaining % size;
    remaining = Math.floor(remaining / size);
    return coordinate;
  });
}

/** The element at any index, wrapping around. */
export function pick<T>(list: readonly T[], index: number): T {
  const item = list[((index % list.length) + list.length) % list.length];
  if (item === undefined) throw new Error("pick: the list is empty");
  return item;
}
