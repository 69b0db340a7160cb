import type { StatusResponse } from "../../../src/api/server-status.ts";
import { useQuery } from "../queries.ts";
import { ConnectList } from "./connect-list.tsx";
import { ImportOffer } from "./import-offer.tsx";

/** Shown before the first request: an import of past sessions, and how to connect a client. */
export function EmptyState() {
  const { value: status } = useQuery<StatusResponse>("/api/status");
  return (
    <section class="empty">
      <ImportOffer />
      <h2>Connect a client</h2>
      <p>
        Toolmend is running and has not received a request yet. Start your agent with one of these commands; this page
        updates automatically.
      </p>
      <ConnectList />
      <p>
        No agent or API key at hand? Run <code>{status?.command ?? "toolmend"} demo</code> to see scripted agents
        through the real proxy.
      </p>
    </section>
  );
}
