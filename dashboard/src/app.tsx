import { useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import type { StatusResponse } from "../../src/api/server-status.ts";
import { EmptyState } from "./components/empty-state.tsx";
import { ImportProgress } from "./components/import-offer.tsx";
import { KeyHelp } from "./components/key-help.tsx";
import { Link } from "./components/link.tsx";
import { LoadProblem } from "./components/load-problem.tsx";
import { Palette } from "./components/palette.tsx";
import { RecorderStatus } from "./components/recorder-status.tsx";
import { TopBar } from "./components/top-bar.tsx";
import { visible } from "./format.ts";
import { CallsPage } from "./pages/calls/calls-page.tsx";
import { ErrorPage } from "./pages/error/error-page.tsx";
import { ErrorsPage } from "./pages/errors/errors-page.tsx";
import { LivePage } from "./pages/live/live-page.tsx";
import { ModelsPage } from "./pages/models/models-page.tsx";
import { OverviewPage } from "./pages/overview/overview-page.tsx";
import { SessionPage } from "./pages/session/session-page.tsx";
import { SessionsPage } from "./pages/sessions/sessions-page.tsx";
import { SetupPage } from "./pages/setup/setup-page.tsx";
import { ToolPage } from "./pages/tool/tool-page.tsx";
import { ToolsPage } from "./pages/tools/tools-page.tsx";
import { useQuery } from "./queries.ts";
import type { PageName } from "./route.ts";
import { place, titleOf } from "./state.ts";

function MissingPage() {
  return (
    <div class="missing">
      <h2>Page not found</h2>
      <p>
        There is no page at <code>{visible(location.pathname)}</code>.
      </p>
      <p>
        <Link page="overview">Overview</Link> · <Link page="sessions">Sessions</Link> · <Link page="calls">Calls</Link>
      </p>
    </div>
  );
}

const PAGE: Readonly<Record<PageName, ComponentType>> = {
  overview: OverviewPage,
  tools: ToolsPage,
  tool: ToolPage,
  errors: ErrorsPage,
  error: ErrorPage,
  models: ModelsPage,
  sessions: SessionsPage,
  session: SessionPage,
  calls: CallsPage,
  live: LivePage,
  setup: SetupPage,
  missing: MissingPage,
};

export function App() {
  const { value: status } = useQuery<StatusResponse>("/api/status");
  useSignalEffect(() => {
    document.title = `${visible(titleOf(place.value))} · Toolmend`;
  });
  const { page, query } = place.value;
  const Page = PAGE[page];
  const isNew = status?.empty === true && page !== "setup" && page !== "live" && page !== "missing";
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <TopBar />
      <RecorderStatus status={status} />
      <ImportProgress status={status?.import} />
      <LoadProblem />
      <main id="main" class="page" tabIndex={-1}>
        {isNew ? (
          <EmptyState />
        ) : (
          <Page key={`${page} ${query.name ?? ""} ${query.id ?? ""} ${page === "error" ? query.fingerprint : ""}`} />
        )}
      </main>
      <footer class="foot">
        <span>Toolmend {status?.version}</span>
        <a href="/api/openapi.json">API</a>
        <a href="/metrics">Metrics</a>
      </footer>
      <KeyHelp />
      <Palette />
    </>
  );
}
