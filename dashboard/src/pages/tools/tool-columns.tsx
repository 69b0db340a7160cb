import type { Trends } from "../../../../src/api/overview.ts";
import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { CallsLink, FAILED_CALLS } from "../../components/calls-link.tsx";
import {
  CALLS_OF_TOOL,
  CHANGE,
  EXCESS,
  FAILED_OF_TOOL,
  INTERVAL,
  MOSTLY_OF_TOOL,
  RATE,
  ToolLink,
} from "../../components/columns.tsx";
import { PhaseBar } from "../../components/phase-bar.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import type { Column } from "../../components/table.tsx";
import { duration, visible } from "../../format.ts";

/** Tools with fewer known outcomes are grayed out: their rate is unreliable. */
const FLOOR = 5;

export function isUnderFloor({ ok, failed }: RankedRow): boolean {
  return ok + failed < FLOOR;
}

const COLUMNS: readonly Column<RankedRow>[] = [
  {
    title: "Tool",
    hint: "Name, as used by the model",
    sort: "name",
    value: ({ key }) => key.toLowerCase(),
    isText: true,
    cell: (row) => <ToolLink row={row} few={isUnderFloor(row)} />,
  },
  ...[CALLS_OF_TOOL, FAILED_OF_TOOL, RATE, INTERVAL, CHANGE, EXCESS],
  {
    title: "Call/gate/run",
    class: "bar-cell wide-only",
    hint: "Failures: invalid call, refused, ran and failed",
    cell: ({ key, failed, phases }) => (
      <CallsLink calls={failed} query={{ tool: key, ...FAILED_CALLS }} label={`Failures of ${visible(key)}`}>
        <PhaseBar phases={phases} />
      </CallsLink>
    ),
  },
  MOSTLY_OF_TOOL,
  {
    title: "Recov.",
    class: "num wide-only",
    hint: "Failures with a successful retry",
    sort: "recovered",
    value: ({ recovered_rate }) => recovered_rate,
    cell: ({ key, recovered, recovered_rate: rate }) =>
      rate === null ? (
        <span class="faint">–</span>
      ) : (
        <CallsLink calls={recovered} query={{ tool: key, link: "recovered" }}>{`${Math.round(100 * rate)}%`}</CallsLink>
      ),
  },
  {
    title: "p95",
    class: "num time wide-only",
    hint: "95% of the measured runs took less",
    sort: "p95",
    value: ({ p95_ms: ms }) => ms,
    cell: ({ p95_ms }) => <span class={p95_ms === null ? "faint" : ""}>{duration(p95_ms)}</span>,
  },
];

export function toolColumns(trends: Trends | undefined): readonly Column<RankedRow>[] {
  const trend: Column<RankedRow> = {
    title: "Trend",
    class: "trend wide-only",
    cell: ({ key }) => <Sparkline rates={trends?.tools[key]} />,
  };
  return [...COLUMNS, trend];
}
