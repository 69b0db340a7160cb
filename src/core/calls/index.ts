export { compileSchema, type SchemaNode } from "../schema/compile.ts";
export type { Misfit } from "../schema/fits.ts";
export { ArgumentsStream } from "./arguments-stream.ts";
export { type CallFault, type CheckedCall, checkCall, type NameRepair, type ToolSchemas } from "./check-call.ts";
export { type CheckedArguments, checkArguments } from "./repair-arguments.ts";
export { repairName } from "./repair-name.ts";
export { FAULTS, type Fault, type FaultFilter, type Repair } from "./repair-value.ts";
export { SnapshotFilter } from "./snapshot-filter.ts";
export { type ArgumentsPiece, StreamedCall } from "./streamed-call.ts";
