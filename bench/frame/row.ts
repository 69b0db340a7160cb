/** One line of the result: a value, its reference, and whether it meets the documented bar. */
export interface Row {
  readonly name: string;
  readonly against: string;
  readonly value: number;
  readonly unit: string;
  /** Relative to the reference in the same run; absent for absolute values. */
  readonly ratio?: number;
  /** The bar for the ratio (or, without one, the value); absent for informational rows. */
  readonly reach?: Reach;
  /** Absent without a bar. `void`: the run did not do what it claims to measure, so its value is meaningless. */
  readonly ok?: boolean | "void";
  /** Why a row is void, or other remarks. */
  readonly note?: string;
}

export type Reach = { readonly atMost: number } | { readonly atLeast: number };

/** A row with its status. */
export function row(fields: Omit<Row, "ok"> & { readonly void?: string | undefined }): Row {
  const { void: reason, ...rest } = fields;
  if (reason !== undefined) return { ...rest, ok: "void", note: reason };
  if (rest.reach === undefined) return rest;
  const measured = rest.ratio ?? rest.value;
  const ok = "atMost" in rest.reach ? measured <= rest.reach.atMost : measured >= rest.reach.atLeast;
  return { ...rest, ok };
}

export function reachText(reach: Reach | undefined): string {
  if (reach === undefined) return "";
  return "atMost" in reach ? `≤ ${reach.atMost}` : `≥ ${reach.atLeast}`;
}
