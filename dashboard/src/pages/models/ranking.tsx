import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import {
  CALLS_OF_MODEL,
  CALLS_OF_PROVIDER,
  CHANGE,
  EXCESS,
  INTERVAL,
  RATE,
  RankedName,
} from "../../components/columns.tsx";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { inRange, useQuery } from "../../queries.ts";

const BY_NAME = { sort: "name", value: ({ key }: RankedRow) => key.toLowerCase(), isText: true };
const RATE_COLUMNS: readonly Column<RankedRow>[] = [RATE, INTERVAL, CHANGE, EXCESS];
const COLUMNS: Readonly<Record<"model" | "provider", readonly Column<RankedRow>[]>> = {
  model: [
    {
      title: "Model",
      ...BY_NAME,
      cell: (row) => (
        <Link page="sessions" query={{ model: row.key }} class="with-glyph" row>
          <RankedName row={row} />
        </Link>
      ),
    },
    CALLS_OF_MODEL,
    ...RATE_COLUMNS,
  ],
  provider: [
    {
      title: "Provider",
      ...BY_NAME,
      cell: (row) => (
        <Link page="calls" query={{ provider: row.key }} class="with-glyph" calls={row.calls} row>
          <RankedName row={row} />
        </Link>
      ),
    },
    CALLS_OF_PROVIDER,
    ...RATE_COLUMNS,
  ],
};

interface RankingProps {
  readonly title: string;
  readonly by: keyof typeof COLUMNS;
}

/** Models or providers, ranked by excess failures. */
export function Ranking({ title, by }: RankingProps) {
  const { value, isOld } = useQuery<{ readonly rows: readonly RankedRow[] }>(inRange("/api/breakdown", { by }));
  const rows = value?.rows ?? [];
  return (
    <Panel title={title} note="by excess failures" rows={rows} busy={isOld}>
      <Table
        label={title}
        columns={COLUMNS[by]}
        rows={rows}
        usual="-excess"
        keyOf={({ key }) => key}
        nothing={value && "No calls recorded in this range."}
      />
    </Panel>
  );
}
