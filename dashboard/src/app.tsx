import { useSignalEffect } from "@preact/signals";
import { EmptyState } from "./components/empty-state.tsx";
import { LoadProblem } from "./components/load-problem.tsx";
import { NothingInRange } from "./components/nothing-in-range.tsx";
import { RecorderStatus } from "./components/recorder-status.tsx";
import { SessionsTable } from "./components/sessions-table.tsx";
import { SummaryCards } from "./components/summary-cards.tsx";
import { ToolsTable } from "./components/tools-table.tsx";
import { TopBar } from "./components/top-bar.tsx";
import { count } from "./format.ts";
import { snapshot, view } from "./state.ts";

export function App() {
  useSignalEffect(() => {
    const summary = snapshot.value?.summary;
    const failed = summary === undefined || summary.calls === 0 ? "" : `${count(summary.failed)} failed · `;
    document.title = `${failed}Toolmend`;
  });
  const version = snapshot.value?.status.version;
  return (
    <>
      <TopBar />
      <RecorderStatus />
      <LoadProblem />
      <Page />
      <footer class="foot">
        <span>Toolmend {version}</span>
        <a href="/api/openapi.json">API</a>
        <a href="/metrics">Metrics</a>
      </footer>
    </>
  );
}

function Page() {
  const shown = snapshot.value;
  if (shown === undefined) return <main class="page page-waiting" aria-busy="true" />;
  if (shown.firstRun)
    return (
      <main class="page">
        <EmptyState />
      </main>
    );
  const empty = shown.summary.sessions === 0 && shown.summary.calls === 0 && shown.summary.pending === 0;
  return (
    <main class="page" aria-busy={shown.range !== view.value.range}>
      <SummaryCards shown={shown} />
      {empty ? (
        <NothingInRange />
      ) : (
        <div class="columns">
          <ToolsTable shown={shown} />
          <SessionsTable shown={shown} />
        </div>
      )}
    </main>
  );
}
