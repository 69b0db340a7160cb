export { ByteRepairer, bytesOf, type RepairOutput } from "./byte-repairer.ts";
export { observeCalls } from "./calls/json-calls.ts";
export {
  CALL_FAULTS,
  type CallRepairMode,
  type CallRepairOptions,
  type CallReport,
} from "./calls/types.ts";
export { type CleanedHistory, cleanHistory } from "./history/clean-history.ts";
export { insertCalls, type StoredCall } from "./history/insert-calls.ts";
export { repairHistoryArguments } from "./history/repair-history-arguments.ts";
export { observeText, repairJsonResponse } from "./json-response.ts";
export { CALL_REPAIR_MODES, REPAIR_MODES, type RepairMode } from "./modes.ts";
export { type CallRepairSettings, type RepairSettings, readRepairOptions } from "./read-request.ts";
export { reasonText } from "./reason-text.ts";
export {
  addOverride,
  allowedBy,
  type CallRepairChoice,
  type FeatureModes,
  followedMode,
  isSuspensionActive,
  type ModeOverride,
  modeFor,
  possibleModes,
  type RepairModes,
  type RepairOverride,
  type Suspension,
} from "./repair-policy.ts";
export { createDeferredRepairer } from "./stream/deferred-repairer.ts";
export { createStreamRepairer } from "./stream/stream-repairer.ts";
export type {
  ClientTool,
  JsonRepairResult,
  LeakReport,
  RepairedCall,
  RepairOptions,
  StreamFrame,
  StreamRepairer,
  UnrepairedReason,
} from "./types.ts";
