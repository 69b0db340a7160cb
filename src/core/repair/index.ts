export { ByteMender, bytesOf, type Leaving } from "./byte-mender.ts";
export { allowedBy } from "./globs.ts";
export { type CleanedHistory, cleanHistory } from "./history/clean-history.ts";
export { insertCalls, type KeptCall } from "./history/insert-calls.ts";
export { mendJson, observeText } from "./mend-json.ts";
export { REPAIR_MODES, type RepairMode, type RepairSettings, readMendOptions } from "./read-request.ts";
export { reasonText } from "./reason-text.ts";
export {
  addOverride,
  isInForce,
  modeFor,
  possibleModes,
  type RepairModes,
  type RepairOverride,
  type Suspension,
} from "./repair-policy.ts";
export { createLateMender } from "./stream/late-mender.ts";
export { createStreamMender } from "./stream/stream-mender.ts";
export type {
  ClientTool,
  JsonMending,
  LeakReport,
  LeftReason,
  MendedCall,
  MendOptions,
  StreamFrame,
  StreamMender,
} from "./types.ts";
