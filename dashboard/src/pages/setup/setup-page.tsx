import { ConnectList } from "../../components/connect-list.tsx";
import { PageHead } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { CoverageTable } from "./coverage-table.tsx";
import { ExportHealth } from "./export-health.tsx";
import { RecorderHealth } from "./recorder-health.tsx";
import { Repair } from "./repair.tsx";

/** What is seen and what cannot be, how to see more, and how the recorder is doing. */
export function SetupPage() {
  return (
    <>
      <PageHead title="Coverage and set-up" />
      <CoverageTable />
      <div class="columns">
        <div class="stack">
          <Panel title="Connect a client" note="one line each">
            <div class="panel-body">
              <ConnectList />
            </div>
          </Panel>
          <ExportHealth />
        </div>
        <div class="stack">
          <Repair />
          <RecorderHealth />
        </div>
      </div>
    </>
  );
}
