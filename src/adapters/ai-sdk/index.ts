export type { LeakReport, LeftReason, RepairMode } from "../../core/mend/index.ts";
export { type LeakPlace, type MendMiddlewareOptions, mendMiddleware } from "./mend-middleware.ts";
