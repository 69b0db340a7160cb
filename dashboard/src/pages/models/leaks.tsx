import { useEffect } from "preact/hooks";
import { reasonText } from "../../../../src/core/repair/reason-text.ts";
import type { LeakRow, OriginRow } from "../../../../src/store/port.ts";
import { Count } from "../../components/count.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, percent } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import { place } from "../../state.ts";

export const NEWEST_LEAKS = 100;

interface LeaksProps {
  readonly rows: readonly LeakRow[] | undefined;
  readonly busy: boolean;
}

/** Calls that models wrote as text: who, how, and what became of them. */
export function Leaks({ rows, busy }: LeaksProps) {
  const isThere = rows !== undefined;
  useEffect(() => {
    if (isThere && place.peek().query.part === "leaks")
      document.querySelector(".leaks")?.scrollIntoView({ block: "nearest" });
  }, [isThere]);
  const isCut = (rows?.length ?? 0) >= NEWEST_LEAKS;
  return (
    <Panel
      title="Leaks"
      note={`calls written as text${isCut ? `, the newest ${NEWEST_LEAKS}` : ""}`}
      rows={rows}
      busy={busy}
      class="leaks"
    >
      {rows?.length === 0 && <EmptyMessage>No model wrote a call as text in this range.</EmptyMessage>}
      {rows !== undefined && rows.length > 0 && (
        <>
          <Origins />
          <Table
            label="Leaks by model and format"
            columns={GROUPS}
            rows={leakGroups(rows)}
            keyOf={({ model, format }) => `${model} ${format}`}
            nothing=""
          />
        </>
      )}
    </Panel>
  );
}

/** Do mended calls work as well as those that models make properly? */
function Origins() {
  const { value } = useQuery<{ readonly rows: readonly OriginRow[] }>(inRange("/api/origins"));
  const of = (origin: string): OriginRow | undefined => value?.rows.find((row) => row.origin === origin);
  const [mended, native] = [of("recovered"), of("native")];
  if (mended === undefined || mended.calls === 0) return null;
  return (
    <p class="nothing">
      Of {count(mended.calls)} mended calls {percent(mended.failure_rate)} failed; of those that models made properly{" "}
      {percent(native?.failure_rate ?? null)}.
    </p>
  );
}

const GROUPS: readonly Column<LeakGroup>[] = [
  { title: "Model", cell: ({ model }) => <UntrustedText text={model ?? "unknown model"} /> },
  { title: "Format", class: "names", cell: ({ format }) => <code class="chip">{format}</code> },
  { title: "Mended", class: "num rate", cell: ({ mended }) => <Count value={mended} tone="ok" /> },
  { title: "Left", class: "num", cell: ({ left }) => <Count value={left} tone="warn" /> },
  { title: "Why left", class: "names mid-only", cell: ({ reasons }) => reasons.map(reasonText).join("; ") },
];

export interface LeakGroup {
  readonly model: string | null;
  readonly format: string;
  /** Calls that could be read; for what could not, one each. */
  readonly mended: number;
  readonly left: number;
  readonly reasons: readonly string[];
}

/** Leaks by model and format, the most first. */
export function leakGroups(rows: readonly LeakRow[]): readonly LeakGroup[] {
  const groups = new Map<
    string,
    { model: string | null; format: string; mended: number; left: number; reasons: string[] }
  >();
  for (const { model, format, result, parsed, reason } of rows) {
    const key = JSON.stringify([model, format]);
    const group = groups.get(key) ?? { model, format, mended: 0, left: 0, reasons: [] };
    groups.set(key, group);
    if (result === "recovered") group.mended += Math.max(1, parsed);
    else group.left += Math.max(1, parsed);
    if (reason !== null && !group.reasons.includes(reason)) group.reasons.push(reason);
  }
  return [...groups.values()].sort((a, b) => b.mended + b.left - (a.mended + a.left));
}
