export { type CheckedArguments, checkArguments } from "./repair-arguments.ts";
export { FAULTS, type Fault, type Repair } from "./repair-value.ts";
export { compileSchema, type SchemaNode } from "./schema.ts";
