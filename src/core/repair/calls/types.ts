import { type CallFault, FAULTS, type Repair } from "../../calls/index.ts";
import type { CALL_REPAIR_MODES } from "../modes.ts";

/** Faults of the response around a call: the API's own structure, not the schema of a tool. */
const STREAM_FAULTS = [
  "index",
  "id",
  "type",
  "repeated-header",
  "split-name",
  "arguments-as-object",
  "cumulative",
  "missing-event",
  "input-place",
  "empty-list",
  "stop-reason",
] as const;
export type StreamFault = (typeof STREAM_FAULTS)[number];

/** All classes of call repairs, by the group that settings switch. */
export const CALL_FAULTS = { ...FAULTS, names: ["name"], stream: STREAM_FAULTS } as const;
export type RepairClass = CallFault | StreamFault;

/** `off`: native calls are not checked. `observe`: faults are reported, nothing changes. `on`: calls are repaired. */
export type CallRepairMode = (typeof CALL_REPAIR_MODES)[number];

/** Why calls are only observed. `passed-through`: the response could not be parsed before it was sent. */
export type BlockedReason = "observe" | "suspended" | "passed-through";

/** One change of a call. */
export interface CallRepair extends Omit<Repair, "class"> {
  readonly class: RepairClass;
}

/** How native calls of a response are repaired. */
export interface CallRepairOptions {
  /** Forbids all changes for this reason; faults are reported nevertheless. */
  readonly blocked?: BlockedReason;
  readonly isEnabled: (fault: RepairClass) => boolean;
  /** Whether calls of this tool may be changed. */
  readonly isAllowed: (tool: string) => boolean;
  /** Whether leak repair corrects this name. */
  readonly isRenamedLater: (written: string) => boolean;
}

/** A native call that was repaired, or that does not fit and was left. Calls that fit are not reported. */
export interface CallReport {
  readonly result: "repaired" | "left";
  readonly tool_call_id: string;
  /** The name as the client received it. */
  readonly tool_name: string;
  readonly repairs: readonly CallRepair[];
  /** Why a call does not fit: the JSON path and the problem. */
  readonly problem?: string;
  /** Why it was left although repair could have changed it. */
  readonly reason?: BlockedReason;
  /** The arguments as the model wrote them, and as they were sent; truncated but not redacted. */
  readonly before?: string;
  readonly after?: string;
}
