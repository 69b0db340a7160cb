import type { SessionRow } from "../../../src/store/port.ts";
import { toneOfSession } from "../tone.ts";
import { ForeignText } from "./foreign-text.tsx";
import { Glyph } from "./glyph.tsx";
import { Link } from "./link.tsx";

export function SessionLink({ row }: { readonly row: SessionRow }) {
  const { project, session_id: id } = row;
  return (
    <Link page="session" query={{ id, ...(project !== "default" && { project }) }} class="with-glyph mono" row>
      <Glyph tone={toneOfSession(row)} label={row.calls === 0 ? "no tool calls" : row.rate_health} />
      <ForeignText text={id} />
    </Link>
  );
}
