import type { TitledError } from "../../../../src/api/error-title.ts";
import { CallsLink } from "../../components/calls-link.tsx";
import { CategoryLink } from "../../components/category.tsx";
import { LAST_SEEN } from "../../components/columns.tsx";
import { Count } from "../../components/count.tsx";
import { RowButton } from "../../components/row-button.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { visible } from "../../format.ts";
import { period, place } from "../../state.ts";
import { StateBadge } from "../error/error-state.tsx";
import { ofError } from "./error-shares.tsx";

const MESSAGE = (badge: (row: TitledError) => boolean): Column<TitledError> => ({
  title: "Message",
  cell: (row) => (
    <RowButton opens={row.fingerprint}>
      {badge(row) && (
        <span class="badge" title="First seen in this time range">
          new
        </span>
      )}
      <StateBadge state={row.state} />
      <UntrustedText text={row.sample === "" ? "(text not stored)" : row.sample} shown={titleOf(row)} />
    </RowButton>
  ),
});
const COLUMNS: readonly Column<TitledError>[] = [
  {
    title: "Times",
    class: "num",
    ...{ sort: "times", value: ({ count }) => count },
    cell: (row) => (
      <CallsLink calls={row.count} query={ofError(row)}>
        <Count value={row.count} />
      </CallsLink>
    ),
  },
  { title: "Category", class: "category mid-only", cell: (row) => <CategoryLink name={row.category} /> },
  { title: "Tools", class: "names mid-only", cell: (row) => <Names counts={row.tools} /> },
  { title: "Models", class: "names wide-only", cell: (row) => <Names counts={row.models} /> },
  {
    title: "First seen",
    class: "seen wide-only",
    ...{ sort: "first", value: ({ first_at }) => first_at },
    cell: (row) => row.first_at !== null && <TimeAgo at={Date.parse(row.first_at)} />,
  },
  { ...LAST_SEEN, sort: "last", value: ({ last_at }) => last_at },
];

interface FingerprintTableProps {
  readonly rows: readonly TitledError[];
  readonly isFiltered: boolean;
}

export function FingerprintTable({ rows, isFiltered }: FingerprintTableProps) {
  const { open } = place.value.query;
  return (
    <Table
      label="Errors"
      columns={[MESSAGE(rows.every(isNew) ? () => false : isNew), ...COLUMNS]}
      rows={rows}
      usual=""
      keyOf={({ project, fingerprint }) => `${project} ${fingerprint}`}
      rowClass={({ fingerprint }) => (fingerprint === open ? "chosen" : "")}
      nothing={isFiltered ? "No matching errors." : "No failed calls in this time range."}
    />
  );
}

export function titleOf({ sample, title }: TitledError): string {
  return sample === "" ? "(text not stored)" : title;
}

/**
 * Whether the error first occurred in the range. Without a start of the range, no error is new; if all are, nothing was
 * recorded before, and no badge is shown.
 */
function isNew({ first_at }: TitledError): boolean {
  const { since } = period.value;
  return since !== undefined && first_at !== null && Date.parse(first_at) >= since;
}

function Names({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const names = Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => (name === "" ? "unknown" : name));
  const [first = "–", ...others] = names;
  return (
    <span class="with-glyph" title={names.map(visible).join(", ")}>
      <UntrustedText text={first} />
      {others.length > 0 && <span class="faint">+{others.length}</span>}
    </span>
  );
}
