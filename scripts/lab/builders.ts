// Short constructors for cases, so that a family reads as a table.
import type { Convention } from "./conventions.ts";
import type { Case, Category } from "./types.ts";

type Rest = Omit<Partial<Case>, "kind" | "name" | "run" | "program">;

/** The thing asked for does not happen; `fact` is what a one-line message must contain. */
export function bad(
  program: string,
  name: string,
  run: string,
  category: Category,
  fact: string,
  rest: Rest = {},
): Case {
  return { kind: "error", program, name, run, category, fact, ...rest };
}

/** The thing asked for happens, whatever the text talks of. */
export function fine(program: string, name: string, run: string, rest: Rest = {}): Case {
  return { kind: "ok", program, name, run, ...rest };
}

/** An answer by convention although the exit status is not 0. */
export function answer(
  program: string,
  name: string,
  run: string,
  convention: Convention,
  exit: number,
  rest: Rest = {},
): Case {
  return { kind: "ok", program, name, run, convention, exit, ...rest };
}
