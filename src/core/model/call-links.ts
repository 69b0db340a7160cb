/** Why a failure is a follow-on of an earlier one. */
export const CASCADE_RULES = ["path", "inside", "url", "id", "dependency", "named"] as const;
export type CascadeRule = (typeof CASCADE_RULES)[number];

/** The links of a settled call to others of its thread, which are identified by their record ids. */
export interface CallLinks {
  /** From 0. Calls of the same turn have the same position. */
  readonly position: number;
  /** The tool of the last call at an earlier position. */
  readonly preceding_tool?: string;
  /** Absent if the status of that call is unknown. */
  readonly preceding_success?: boolean;
  /** This call and the preceding one failed. A score only: it does not imply a common cause. */
  readonly is_cascade_failure: boolean;
  /** The failed attempt before this one. */
  readonly retry_of?: string;
  /** The number of earlier attempts; 0 for the first. */
  readonly retry_count: number;
  /** The later retry that succeeded. */
  readonly recovered_by?: string;
  /** The root failure that explains this one, never another follow-on. */
  readonly cascade_of?: string;
  readonly cascade_rule?: CascadeRule;
}
