/** Which reason makes a failure the follow-on of an earlier one. */
export const CASCADE_RULES = ["path", "inside", "url", "id", "dependency", "named"] as const;
export type CascadeRule = (typeof CASCADE_RULES)[number];

/** How a settled call stands to the calls before and after it in its thread. Other calls are named by their record id. */
export interface CallLinks {
  /** From 0. Calls of one turn of the model share it. */
  readonly position: number;
  /** The last call of an earlier position. */
  readonly preceding_tool?: string;
  /** Absent where that call's outcome is unknown. */
  readonly preceding_success?: boolean;
  /** It failed, and so did the preceding call: says nothing about a reason. */
  readonly is_cascade_failure: boolean;
  /** The failed try before this one. */
  readonly retry_of?: string;
  /** How many tries went before; 0 for the first. */
  readonly retry_count: number;
  /** The later try that worked. */
  readonly recovered_by?: string;
  /** The failure this one follows from: the root, never another follow-on. */
  readonly cascade_of?: string;
  readonly cascade_rule?: CascadeRule;
}
