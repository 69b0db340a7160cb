import type { Range, Step } from "./queries.ts";

/** When a model, or a version of a client, was used for the first time. */
export interface FirstUse {
  readonly kind: "model" | "client";
  /** Of the model or client. */
  readonly name: string;
  /** Of the client. */
  readonly version: string | null;
  /** Start of the hour or UTC day, in ms. */
  readonly at: number;
}

export interface FirstUseQuery extends Range {
  readonly step: Step;
}
