import type { SessionRow } from "../../../src/store/port.ts";
import { toneOfSession } from "../tone.ts";
import { Glyph } from "./glyph.tsx";
import { Link } from "./link.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

export function SessionLink({ row }: { readonly row: SessionRow }) {
  const { project, session_id: id } = row;
  return (
    <Link page="session" query={{ id, ...(project !== "default" && { project }) }} class="with-glyph mono" row>
      <Glyph tone={toneOfSession(row)} label={row.calls === 0 ? "no tool calls" : row.rate_health} />
      <UntrustedText text={id} />
    </Link>
  );
}
