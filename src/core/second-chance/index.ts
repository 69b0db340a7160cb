export { AttemptGate } from "./attempt-gate.ts";
export { canAskAgain, FORMATS } from "./formats.ts";
export { type CallableTool, hopelessCall, hopelessCalls } from "./hopeless-calls.ts";
export { type Comparison, compareAttempts, endedNormally } from "./join-attempts.ts";
export { secondChanceTools } from "./read-tools.ts";
export type * from "./types.ts";
export { SECOND_CHANCE_REASONS, SECOND_CHANCE_RESULTS } from "./types.ts";
