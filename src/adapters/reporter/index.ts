export { createReporter, type Reporter, type ReportOptions } from "./create-reporter.ts";
