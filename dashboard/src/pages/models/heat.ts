import type { ToolModelRow } from "../../../../src/store/port.ts";

const MAX_TOOLS = 25;
const MAX_MODELS = 12;
/** Upper bounds of the color steps, as rates. */
const STEPS = [0, 0.05, 0.1, 0.2, 0.35, 0.5] as const;

export interface Heat {
  readonly models: readonly string[];
  readonly tools: readonly { readonly tool: string; readonly cells: readonly (ToolModelRow | undefined)[] }[];
  /** Number of tools and models left out: those with the fewest calls. */
  readonly left_out: readonly [tools: number, models: number];
}

/** Tools as rows, models as columns, the most called first. */
export function heatOf(rows: readonly ToolModelRow[]): Heat {
  const tools = mostCalled(rows, "tool");
  const models = mostCalled(rows, "model");
  const cells = new Map(rows.map((row) => [`${row.tool}\u0000${row.model}`, row]));
  const shown = models.slice(0, MAX_MODELS);
  return {
    models: shown,
    tools: tools
      .slice(0, MAX_TOOLS)
      .map((tool) => ({ tool, cells: shown.map((model) => cells.get(`${tool}\u0000${model}`)) })),
    left_out: [Math.max(0, tools.length - MAX_TOOLS), Math.max(0, models.length - MAX_MODELS)],
  };
}

function mostCalled(rows: readonly ToolModelRow[], by: "tool" | "model"): readonly string[] {
  const calls = new Map<string, number>();
  for (const row of rows) calls.set(row[by], (calls.get(row[by]) ?? 0) + row.calls);
  return [...calls].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** From 0 (no failures) to 6 (more than half); undefined without known outcomes. */
export function heatStep(rate: number | null): number | undefined {
  if (rate === null) return undefined;
  const step = STEPS.findIndex((end) => rate <= end);
  return step === -1 ? STEPS.length : step;
}
