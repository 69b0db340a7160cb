export { type Reporter, type ReportOptions, reportTo } from "./report-to.ts";
