import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { LeakRow } from "../../../../src/store/port.ts";
import { ComparePanel } from "../../components/compare-panel.tsx";
import { PageHead } from "../../components/page-parts.tsx";
import { inRange, useQuery } from "../../queries.ts";
import { CallFaults, CallRepairExamples } from "./call-faults.tsx";
import { Heatmap } from "./heatmap.tsx";
import { LeakExamples } from "./leak-examples.tsx";
import { Leaks, NEWEST_LEAKS } from "./leaks.tsx";
import { Ranking } from "./ranking.tsx";
import { SecondChances } from "./second-chances.tsx";

function CompareModels() {
  const { value } = useQuery<{ readonly rows: readonly RankedRow[] }>(inRange("/api/breakdown", { by: "model" }));
  return <ComparePanel what="models" rows={value?.rows ?? []} />;
}

/** Failure rates by model and tool, providers, and leaked calls. */
export function ModelsPage() {
  const path = inRange("/api/leaks", { limit: String(NEWEST_LEAKS) });
  const { value, isOld } = useQuery<{ readonly rows: readonly LeakRow[] }>(path);
  return (
    <>
      <PageHead title="Models and providers" />
      <div class="columns">
        <div class="stack">
          <Ranking title="Models" by="model" />
          <Leaks rows={value?.rows} busy={isOld} />
        </div>
        <div class="stack">
          <Ranking title="Providers" by="provider" />
          <CompareModels />
        </div>
      </div>
      <Heatmap />
      <CallFaults />
      <SecondChances />
      <CallRepairExamples />
      <LeakExamples rows={value?.rows ?? []} />
    </>
  );
}
