import type { PhaseSplit } from "../../../src/store/port.ts";
import type { Query } from "../route.ts";
import { CallsLink } from "./calls-link.tsx";

const LABELS = { call: "invalid call", gate: "refused", run: "ran and failed" } as const;

/** Failures by phase: the call was invalid, it was refused, or it ran and failed. */
export function PhaseBar({ phases }: { readonly phases: PhaseSplit }) {
  const all = phases.call + phases.gate + phases.run;
  if (all === 0) return <span class="faint">–</span>;
  const text = (["call", "gate", "run"] as const).map((phase) => `${phases[phase]} ${LABELS[phase]}`).join(", ");
  const [call, gate] = [(100 * phases.call) / all, (100 * phases.gate) / all];
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label={text}>
      <title>{text}</title>
      <rect class="phase-call" width={call} height="1" />
      <rect class="phase-gate" x={call} width={gate} height="1" />
      <rect class="phase-run" x={call + gate} width={100 - call - gate} height="1" />
    </svg>
  );
}

interface PhaseLegendProps {
  /** Numbers to show, and the filters of the calls they count. */
  readonly phases?: PhaseSplit;
  readonly query?: Query;
}

export function PhaseLegend({ phases, query = {} }: PhaseLegendProps) {
  return (
    <ul class="legend legend-small" aria-label="Phases">
      {(["call", "gate", "run"] as const).map((phase) => (
        <li key={phase}>
          <span class={`swatch swatch-${phase}`} aria-hidden="true" />
          {phase} <span class="faint">{LABELS[phase]}</span>{" "}
          {phases !== undefined && <CallsLink calls={phases[phase]} query={{ ...query, phase }} />}
        </li>
      ))}
    </ul>
  );
}
