import type { LoopKind, LoopLevel } from "../loop/loop-signal.ts";

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
  /** This call and the preceding ones brought nothing new; see docs/loops.md. */
  readonly loop?: LoopLink;
  /** The loop that this call ended. */
  readonly loop_end?: LoopEnd;
  /**
   * This call may have changed something and was not made before for this prompt. So repeated calls after it are not a
   * loop.
   */
  readonly new_change?: boolean;
}

/** The run of calls that brought nothing new, up to this call. */
export interface LoopLink {
  /** The first of them. It identifies the loop within its thread. */
  readonly of: string;
  /** Number of calls that brought nothing new. The first occurrence of each call does not count. */
  readonly run: number;
  /** Number of these calls that only waited for something; the first nine of these are not part of `run`. */
  readonly waits: number;
  readonly kind: LoopKind;
  /** The number of different calls. */
  readonly period: number;
  readonly tools: readonly string[];
  /** The length that the run reached with this call; null for all other calls. */
  readonly level: LoopLevel | null;
}

export interface LoopEnd extends Omit<LoopLink, "waits" | "level"> {
  readonly by: "human" | "new_call" | "new_result";
}
