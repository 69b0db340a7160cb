import { ConnectList } from "../../components/connect-list.tsx";
import { PageHead } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { CoverageTable } from "./coverage-table.tsx";
import { ExportHealth } from "./export-health.tsx";
import { RecorderHealth } from "./recorder-health.tsx";
import { Repair } from "./repair.tsx";

/** Coverage, how to connect clients, and the status of export, repair and recorder. */
export function SetupPage() {
  return (
    <>
      <PageHead title="Coverage and setup" />
      <CoverageTable />
      <div class="columns">
        <div class="stack">
          <Panel title="Connect a client" note="one command each">
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
