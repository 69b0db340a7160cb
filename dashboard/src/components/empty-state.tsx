import { ConnectList } from "./connect-list.tsx";

/** The first thing a newcomer sees: how to get something to see. */
export function EmptyState() {
  return (
    <section class="empty">
      <h2>Connect a client</h2>
      <p>
        Toolmend is running and has not seen a request yet. Start your agent with one of these lines; this page fills by
        itself.
      </p>
      <ConnectList />
      <p>
        No agent or API key at hand? <code>npm run demo -- --port 4101</code> runs scripted agents through the real
        proxy.
      </p>
    </section>
  );
}
