// The shapes of the laboratory: a case (what is run and what is broken on purpose) and a row (what was recorded).

import type { Category } from "../../src/core/model/outcome.ts";
import type { Convention } from "./conventions.ts";

export type { Category };
export type Label = "ok" | "error" | "unknown";
export type StatusShown = "shown" | "hidden" | "masked";

/** One line of the result file. */
export interface Row {
  readonly id: string;
  readonly family: string;
  readonly program: string;
  /** Name of the case: what was broken, or what succeeded. */
  readonly breakage: string;
  readonly language: string;
  readonly tool_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly status_shown: StatusShown;
  /** The harness format around the output; `none` for the bare text. */
  readonly status_style: string;
  /** Exit status of the recorded command; after masking this is the status of the whole command line. */
  readonly exit_code: number | null;
  readonly label: Label;
  readonly category: Category | null;
  readonly also: readonly Category[];
  /** A helpful one-line message about the failure contains this text; empty unless the label is `error`. */
  readonly fact: string;
  /** The text reports a failure although the shown status is 0. */
  readonly soft: boolean;
  /** The documented convention that the label follows (conventions.ts). */
  readonly convention: Convention | null;
  readonly seed: number;
}

/** `@name@` in any text of a case is replaced by a word chosen by the seed. */
export interface Case {
  readonly kind: "error" | "ok";
  readonly name: string;
  readonly program: string;
  /** The recorded command, run by bash in the scratch folder. */
  readonly run: string;
  /** Files of the scratch folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Run before, with its output discarded. */
  readonly setup?: string;
  /** Programs that must exist; `program` by default. */
  readonly needs?: readonly string[];
  /** Expected exit status: non-zero for errors and 0 for successes by default. A run that differs is discarded. */
  readonly exit?: number | "any";
  readonly category?: Category;
  readonly also?: readonly Category[];
  readonly fact?: string;
  /** Texts that show the failure although the fact was cut off. */
  readonly signs?: readonly string[];
  /** Run in every language. */
  readonly localized?: boolean;
  readonly convention?: Convention;
  /** Number of seeds. */
  readonly seeds?: number;
  /** False where masking the command makes no sense, such as a success that is a pipeline already. */
  readonly maskable?: boolean;
  /** The call goes through a reading tool instead of a shell: the path or pattern it received. */
  readonly tool?: "shell" | "read" | "search" | "python" | "node";
  readonly stdin?: string;
}

/** Cases that share programs; one file per family. */
export interface Family {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** Rows made without a shell: file tools, MCP servers, time limits. */
export interface Producer {
  readonly name: string;
  /** Changes whenever the rows would. */
  readonly version: string;
  readonly produce: (context: ProducerContext) => Promise<readonly Row[]>;
}

export interface ProducerContext {
  readonly scratch: string;
  readonly cache: string;
  /** Words of the running servers. */
  readonly services: Readonly<Record<string, string>>;
  readonly skip: (program: string, reason: string) => void;
}
