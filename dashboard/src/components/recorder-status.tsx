import type { ServerStatus } from "../../../src/api/server-status.ts";
import { bytes, count, visible } from "../format.ts";

interface Trouble {
  readonly what: string;
  readonly todo: string;
}

/** Silent while all is well; says loudly what is not being recorded, and what to do. */
export function RecorderStatus({ status }: { readonly status: ServerStatus | undefined }) {
  const troubles = status === undefined ? [] : troublesOf(status);
  if (troubles.length === 0) return null;
  return (
    <div class="notice notice-bad" role="alert" aria-label="Recorder">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <ul>
        {troubles.map(({ what, todo }) => (
          <li key={what}>
            <strong>{what}</strong> {todo}
          </li>
        ))}
      </ul>
    </div>
  );
}

function troublesOf(status: ServerStatus): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (status.store_problem !== null) {
    troubles.push({
      what: `The store takes no records: ${visible(status.store_problem)}.`,
      todo: `Traffic goes on, and ${bytes(status.unapplied_bytes)} wait in the journal until it is back. toolmend doctor says more.`,
    });
  }
  if (status.dropped > 0) {
    troubles.push({
      what: `${count(status.dropped)} observations were dropped since the start.`,
      todo: "The journal could not take them, so the numbers below are too low. Look for free disk space, then at the server's log.",
    });
  }
  if (status.rejected > 0) {
    troubles.push({
      what: `${count(status.rejected)} lines were rejected since the start.`,
      todo: "They are kept with their reasons in journal/rejected.jsonl of the data folder.",
    });
  }
  return troubles;
}
