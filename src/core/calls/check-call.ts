import type { SchemaNode } from "../schema/compile.ts";
import type { Misfit } from "../schema/fits.ts";
import { checkArguments } from "./repair-arguments.ts";
import { repairName } from "./repair-name.ts";
import type { Fault, Repair } from "./repair-value.ts";

/** The tools of a request, by name. */
export type ToolSchemas = ReadonlyMap<string, SchemaNode>;

export interface CheckedCall {
  readonly name: string;
  /** As text, as the model sent them or repaired. */
  readonly arguments: string;
  readonly status: "valid" | "repaired" | "invalid";
  readonly repairs: readonly (Repair | NameRepair)[];
  /** Why an invalid call does not fit. */
  readonly misfits: readonly Misfit[];
}

export interface NameRepair {
  readonly class: "name";
  readonly path: "name";
  readonly before: string;
  readonly after: string;
}

export type CallFault = Fault | NameRepair["class"];

/** Checks a whole call against the declared tools: first its name, then its arguments. Never throws. */
export function checkCall(written: string, args: string, tools: ToolSchemas): CheckedCall {
  const name = repairName(written, [...tools.keys()]) ?? written;
  const schema = tools.get(name);
  const renamed: readonly NameRepair[] =
    name === written ? [] : [{ class: "name", path: "name", before: written, after: name }];
  if (schema === undefined)
    return { ...left(written, args), misfits: [{ path: "name", problem: "is not a declared tool" }] };
  const checked = checkArguments(args, schema, name);
  // A call that cannot work is sent unchanged, also its name.
  if (checked.kind === "invalid") return { ...left(written, args), misfits: checked.misfits };
  const repairs = [...renamed, ...(checked.kind === "repaired" ? checked.repairs : [])];
  return { name, arguments: checked.text, status: repairs.length === 0 ? "valid" : "repaired", repairs, misfits: [] };
}

function left(name: string, args: string): Omit<CheckedCall, "misfits"> {
  return { name, arguments: args, status: "invalid", repairs: [] };
}
