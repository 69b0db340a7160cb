export type { CallRepairMode, CallReport, LeakReport, RepairMode, UnrepairedReason } from "../../core/repair/index.ts";
export { type LeakContext, type MendMiddlewareOptions, mendMiddleware } from "./mend-middleware.ts";
export type { SecondChanceReport } from "./second-chance.ts";
export { callsCycle, callsRepeat, roundsFail } from "./stop-conditions.ts";
export { repairToolCall, ToolCallError, type ToolSetOptions, toToolSet } from "./tool-set.ts";
