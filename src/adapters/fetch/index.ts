export type { CallRepairMode, CallReport, LeakReport, RepairMode, UnrepairedReason } from "../../core/repair/index.ts";
export type { Api } from "../../core/wire/turn.ts";
export { type LeakContext, type MendFetchOptions, mendFetch } from "./mend-fetch.ts";
