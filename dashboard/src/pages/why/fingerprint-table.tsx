import type { FingerprintRow } from "../../../../src/store/port.ts";
import { Category } from "../../components/category.tsx";
import { CountCell } from "../../components/count-cell.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { NoRows } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { Space, useWindowed } from "../../components/windowed.tsx";
import { visible } from "../../format.ts";
import { lengthOf } from "../../place.ts";
import { now, place, range, show } from "../../state.ts";

const COLUMNS = 7;

interface FingerprintTableProps {
  readonly rows: readonly FingerprintRow[];
  readonly isFiltered: boolean;
}

export function FingerprintTable({ rows, isFiltered }: FingerprintTableProps) {
  const { body, from, to, above, below } = useWindowed(rows.length);
  return (
    <table class="errors" aria-label="Errors" aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          <th scope="col">Message</th>
          <th scope="col" class="num">
            Times
          </th>
          <th scope="col" class="category mid-only">
            Category
          </th>
          <th scope="col" class="names mid-only">
            Tools
          </th>
          <th scope="col" class="names wide-only">
            Models
          </th>
          <th scope="col" class="seen mid-only">
            First seen
          </th>
          <th scope="col" class="seen">
            Last seen
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        <Space height={above} columns={COLUMNS} />
        {rows.slice(from, to).map((row) => (
          <ErrorRow key={`${row.project} ${row.fingerprint}`} row={row} />
        ))}
        <Space height={below} columns={COLUMNS} />
        {rows.length === 0 && (
          <NoRows columns={COLUMNS}>
            {isFiltered ? "No error matches the filters." : "No call failed in this time range."}
          </NoRows>
        )}
      </tbody>
    </table>
  );
}

function ErrorRow({ row }: { readonly row: FingerprintRow }) {
  const open = place.value.query.open === row.fingerprint;
  return (
    <tr class={open ? "chosen" : ""} aria-selected={open}>
      <th scope="row">
        <button type="button" class="with-glyph row-button" data-row="" onClick={() => show({ open: row.fingerprint })}>
          {isNew(row) && <span class="badge">new</span>}
          <ForeignText text={row.sample === "" ? "(the text is not kept)" : row.sample} />
        </button>
      </th>
      <CountCell value={row.count} />
      <td class="category mid-only">
        <Category name={row.category} />
      </td>
      <td class="names mid-only">
        <Names counts={row.tools} />
      </td>
      <td class="names wide-only">
        <Names counts={row.models} />
      </td>
      <td class="seen mid-only">{row.first_at !== null && <TimeAgo at={Date.parse(row.first_at)} />}</td>
      <td class="seen">{row.last_at !== null && <TimeAgo at={Date.parse(row.last_at)} />}</td>
    </tr>
  );
}

/** Never seen before the range; without a start nothing is. */
function isNew({ first_at }: FingerprintRow): boolean {
  const length = lengthOf(range.value);
  return length !== undefined && first_at !== null && Date.parse(first_at) >= now.value - length;
}

function Names({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const names = Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => (name === "" ? "unknown" : name));
  const [first = "–", ...others] = names;
  return (
    <span class="with-glyph" title={names.map(visible).join(", ")}>
      <ForeignText text={first} />
      {others.length > 0 && <span class="faint">+{others.length}</span>}
    </span>
  );
}
