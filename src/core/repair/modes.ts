// Separate from the code that uses them, so that the command line can list them without loading it.

export const REPAIR_MODES = ["off", "observe", "known", "any"] as const;
/**
 * `off`: no detection. `observe`: report leaks, change nothing. `known`: repair calls of declared tools. `any`: repair
 * calls of any tool name.
 */
export type RepairMode = (typeof REPAIR_MODES)[number];

export const CALL_REPAIR_MODES = ["off", "observe", "on"] as const;
