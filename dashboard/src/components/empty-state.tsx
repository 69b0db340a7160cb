import { connectLines } from "../connect-lines.ts";
import { CopyLine } from "./copy-line.tsx";

/** The first thing a newcomer sees: how to get something to see. */
export function EmptyState() {
  return (
    <section class="empty">
      <h2>Connect a client</h2>
      <p>
        Toolmend is running and has not seen a request yet. Start your agent with one of these lines; this page fills by
        itself.
      </p>
      <ul class="connect">
        {connectLines(location.origin).map(({ client, line }) => (
          <li key={client}>
            <h3>{client}</h3>
            <CopyLine client={client} line={line} />
          </li>
        ))}
      </ul>
      <p>
        No agent or API key at hand? <code>npm run demo</code> runs scripted agents through the real proxy.
      </p>
    </section>
  );
}
