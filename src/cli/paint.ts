import type { Io } from "./io.ts";

export type Style = "bad" | "good" | "doubtful" | "faint" | "strong";

const CODES: Readonly<Record<Style, string>> = { bad: "31", good: "32", doubtful: "33", faint: "2", strong: "1" };

export type Colors = (style: Style | undefined, text: string) => string;

/** Colours for a terminal; plain text for files, pipes, and people who set NO_COLOR. */
export function createColors({ isTerminal, environment }: Pick<Io, "isTerminal" | "environment">): Colors {
  const off = (environment.NO_COLOR ?? "") !== "" || environment.TERM === "dumb";
  if (!isTerminal || off) return (_style, text) => text;
  return (style, text) => (style === undefined || text === "" ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`);
}
