/** One line of the result: a figure, what it is held against, and whether it reaches what was promised. */
export interface Row {
  readonly name: string;
  readonly against: string;
  readonly value: number;
  readonly unit: string;
  /** Against the reference in the same run; absent where the figure stands for itself. */
  readonly ratio?: number;
  /** What the ratio (or, without one, the value) has to be; absent for figures that only inform. */
  readonly reach?: Reach;
  /** Absent when there is nothing to reach. `void`: the run did not do what it claims to measure, so its figure means nothing. */
  readonly ok?: boolean | "void";
  /** Why a row is void, or what else one should know. */
  readonly note?: string;
}

export type Reach = { readonly atMost: number } | { readonly atLeast: number };

/** A row with its verdict. */
export function row(fields: Omit<Row, "ok"> & { readonly void?: string | undefined }): Row {
  const { void: reason, ...rest } = fields;
  if (reason !== undefined) return { ...rest, ok: "void", note: reason };
  if (rest.reach === undefined) return rest;
  const figure = rest.ratio ?? rest.value;
  const ok = "atMost" in rest.reach ? figure <= rest.reach.atMost : figure >= rest.reach.atLeast;
  return { ...rest, ok };
}

export function reachText(reach: Reach | undefined): string {
  if (reach === undefined) return "";
  return "atMost" in reach ? `≤ ${reach.atMost}` : `≥ ${reach.atLeast}`;
}
