export { ByteMender } from "./byte-mender.ts";
export { allowedBy } from "./globs.ts";
export { mendJson, observeText } from "./mend-json.ts";
export { REPAIR_MODES, type RepairMode, type RepairSettings, readMendOptions } from "./read-request.ts";
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
