// Separate from the code that uses them, so that the command line can list them without loading it.

export const REPAIR_MODES = ["off", "observe", "known", "any"] as const;
/**
 * `off`: no detection. `observe`: report leaks, change nothing. `known`: repair calls of declared tools. `any`: repair
 * calls of any tool name.
 */
export type RepairMode = (typeof REPAIR_MODES)[number];

/** What each mode does to a leak, as text for people. */
export const REPAIR_MODE_TEXT: Readonly<Record<RepairMode, string>> = {
  off: "leaked calls stay text and are not recorded",
  observe: "leaked calls are recorded and stay text",
  known: "leaked calls become tool calls if the request declares the tool",
  any: "leaked calls become tool calls, whatever their name",
};

export const CALL_REPAIR_MODES = ["off", "observe", "on"] as const;
