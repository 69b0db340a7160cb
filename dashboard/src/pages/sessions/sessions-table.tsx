import type { PricedSession } from "../../../../src/api/prices.ts";
import {
  CALLS_OF_SESSION,
  FAILED_OF_SESSION,
  keyOfSession,
  LAST_SEEN,
  MODEL,
  MOSTLY_OF_SESSION,
  OptionalText,
  SESSION,
  UNRECOVERED,
} from "../../components/columns.tsx";
import { CostText } from "../../components/cost-text.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { exactTime, tokens } from "../../format.ts";
import { spanText, startText } from "../../session-label.ts";
import { now } from "../../state.ts";

const COLUMNS: readonly Column<PricedSession>[] = [
  ...[SESSION, CALLS_OF_SESSION, FAILED_OF_SESSION, UNRECOVERED, MOSTLY_OF_SESSION],
  {
    title: "Workflow",
    class: "work mid-only",
    hint: "The workflow of most of its calls",
    cell: (row) => <OptionalText text={row.workflow} />,
  },
  MODEL,
  {
    title: "Tokens",
    class: "num tokens wide-only",
    hint: "Input and output of all its responses",
    cell: ({ input_tokens, output_tokens }) =>
      input_tokens === null && output_tokens === null ? (
        <span class="faint">–</span>
      ) : (
        <span title={`${tokens(input_tokens)} in, ${tokens(output_tokens)} out`}>
          {tokens((input_tokens ?? 0) + (output_tokens ?? 0))}
        </span>
      ),
  },
  {
    title: "Started",
    class: "num started mid-only faint",
    cell: ({ started_at }) => <Started at={Date.parse(started_at)} />,
  },
  {
    title: "Lasted",
    class: "num lasted mid-only faint",
    hint: "From the first to the last activity",
    cell: ({ started_at, last_at }) => spanText(Date.parse(last_at) - Date.parse(started_at)),
  },
  LAST_SEEN,
];

const COST: Column<PricedSession> = {
  title: "Cost",
  class: "num tokens wide-only",
  hint: "By the configured prices; > if a model has none",
  cell: ({ cost }) => <CostText cost={cost} />,
};

/** Only with configured prices. */
function columnsOf(rows: readonly PricedSession[]): readonly Column<PricedSession>[] {
  if (rows[0]?.cost === undefined) return COLUMNS;
  const at = COLUMNS.findIndex(({ title }) => title === "Tokens") + 1;
  return COLUMNS.toSpliced(at, 0, COST);
}

function Started({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {startText(at, now.value)}
    </time>
  );
}

interface SessionsTableProps {
  readonly rows: readonly PricedSession[];
  readonly nothing: string;
}

export function SessionsTable({ rows, nothing }: SessionsTableProps) {
  return (
    <Table
      label="Sessions"
      class="sessions"
      columns={columnsOf(rows)}
      rows={rows}
      usual="recent"
      keyOf={keyOfSession}
      nothing={nothing}
    />
  );
}
