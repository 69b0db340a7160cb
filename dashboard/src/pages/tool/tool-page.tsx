import type { TitledError } from "../../../../src/api/error-title.ts";
import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { SessionRow } from "../../../../src/store/port.ts";
import { RatePanel } from "../../charts/rate-panel.tsx";
import { AdviceLine } from "../../components/advice.tsx";
import { CallsLink, FAILED_CALLS, KNOWN } from "../../components/calls-link.tsx";
import { Category, CategoryLink } from "../../components/category.tsx";
import { Change } from "../../components/change.tsx";
import {
  CALLS_OF_SESSION,
  FAILED_OF_SESSION,
  keyOfSession,
  LAST_SEEN,
  MODEL,
  MOSTLY_OF_SESSION,
  SESSION,
  UNRECOVERED,
} from "../../components/columns.tsx";
import { EmptyRange } from "../../components/empty-range.tsx";
import { Link } from "../../components/link.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { PhaseBar, PhaseLegend } from "../../components/phase-bar.tsx";
import { type Share, ShareList } from "../../components/share-list.tsx";
import { StatList } from "../../components/stat-list.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, duration, interval, percent, visible } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import { place } from "../../state.ts";
import { toneOfRate } from "../../tone.ts";
import { titleOf } from "../errors/fingerprint-table.tsx";

interface Rows<Row> {
  readonly rows: readonly Row[];
}

/** One tool: its trend, categories, errors, models and sessions. */
export function ToolPage() {
  const name = place.value.query.name ?? "";
  const { value: rows } = useQuery<Rows<RankedRow>>(inRange("/api/tools", { tool: name }));
  if (rows === undefined) return <Waiting />;
  const [row] = rows.rows;
  return (
    <>
      <PageHead
        title={
          <>
            <Link page="tools">Tools</Link> <span class="faint">/</span> <bdi class="wrap">{visible(name)}</bdi>
          </>
        }
      />
      {row === undefined ? (
        <EmptyRange title={`${visible(name)} was not called in this time range`} />
      ) : (
        <>
          <ToolSummary row={row} />
          <RatePanel query={{ tool: name }} />
          <div class="columns">
            <Fingerprints tool={name} />
            <div class="stack">
              <Categories tool={name} />
              <Models tool={name} />
            </div>
          </div>
          <Sessions tool={name} />
        </>
      )}
    </>
  );
}

const SESSIONS: readonly Column<SessionRow>[] = [
  SESSION,
  MODEL,
  CALLS_OF_SESSION,
  FAILED_OF_SESSION,
  UNRECOVERED,
  MOSTLY_OF_SESSION,
  LAST_SEEN,
];

interface ToolProps {
  readonly tool: string;
}

function Categories({ tool }: ToolProps) {
  const { value, isOld } = useQuery<Rows<RankedRow>>(inRange("/api/breakdown", { by: "category", tool }));
  const shares = value?.rows.map(
    (row): Share => ({
      key: row.key,
      value: row.failed,
      calls: row.failed,
      query: { tool, category: row.key },
      label: <CategoryLink name={row.key} of={{ tool }} />,
    }),
  );
  return (
    <Panel title="Categories" note="of its failures" rows={value?.rows} busy={isOld}>
      {shares?.length === 0 && <EmptyMessage>No failed calls in this range.</EmptyMessage>}
      <ShareList label="Failures by category" shares={shares ?? []} />
    </Panel>
  );
}

function Models({ tool }: ToolProps) {
  const { value, isOld } = useQuery<Rows<RankedRow>>(inRange("/api/breakdown", { by: "model", tool }));
  const shares = value?.rows.map(
    (row): Share => ({
      key: row.key,
      value: row.failure_rate ?? 0,
      calls: row.ok + row.failed,
      query: { tool, model: row.key, ...KNOWN },
      label: (
        <Link page="sessions" query={{ tool, model: row.key }} class="plain">
          <UntrustedText text={row.key} />
        </Link>
      ),
      end: (
        <>
          {percent(row.failure_rate)} <span class="faint">of {count(row.ok + row.failed)}</span>
        </>
      ),
    }),
  );
  return (
    <Panel title="Models" note="failure rate of each" rows={value?.rows} busy={isOld}>
      <ShareList label="Failure rate by model" shares={shares ?? []} full={1} />
    </Panel>
  );
}

function Fingerprints({ tool }: ToolProps) {
  const { value, isOld } = useQuery<Rows<TitledError>>(inRange("/api/fingerprints", { tool, limit: "6" }));
  return (
    <Panel
      title="Errors"
      note="grouped by message"
      rows={value?.rows}
      busy={isOld}
      actions={
        <Link page="errors" query={{ tool }}>
          all
        </Link>
      }
    >
      {value?.rows.length === 0 && <EmptyMessage>No failed calls in this range.</EmptyMessage>}
      <FingerprintLines rows={value?.rows ?? []} />
      <AdviceLine error={value?.rows.find(({ advice }) => advice)} />
    </Panel>
  );
}

function Sessions({ tool }: ToolProps) {
  const { value, isOld } = useQuery<Rows<SessionRow>>(
    inRange("/api/sessions", { tool, limit: "10", sort: "failures" }),
  );
  return (
    <Panel
      title="Sessions"
      note="with calls of this tool; most failures of any tool first"
      rows={value?.rows}
      busy={isOld}
      actions={
        <Link page="sessions" query={{ tool }}>
          all
        </Link>
      }
    >
      <Table
        label="Sessions"
        class="sessions"
        columns={SESSIONS}
        rows={value?.rows ?? []}
        keyOf={keyOfSession}
        nothing={value && "No sessions with this tool in this range."}
      />
    </Panel>
  );
}

export function FingerprintLines({ rows }: { readonly rows: readonly TitledError[] }) {
  return (
    <ul class="lines">
      {rows.map((row) => (
        <li key={`${row.project} ${row.fingerprint}`}>
          <Link page="errors" query={{ open: row.fingerprint }} class="line" row>
            <span class="line-count">{count(row.count)}×</span>
            <Category name={row.category} />
            <UntrustedText text={row.sample === "" ? "(text not stored)" : row.sample} shown={titleOf(row)} />
            <span class="line-end faint">{row.last_at !== null && <TimeAgo at={Date.parse(row.last_at)} />}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The same values as in the list of tools. */
export function ToolSummary({ row }: { readonly row: RankedRow }) {
  const { key: tool, failure_rate: rate } = row;
  return (
    <div class="figures-row">
      <StatList
        figures={[
          [
            "Fail %",
            <span key="rate" class={`tone-${toneOfRate(rate)}`}>
              {percent(rate)}
            </span>,
          ],
          ["95% interval", interval(row.interval)],
          ["Change", <Change key="change" now={row} before={row.previous} />],
          ["Calls", <CallsLink key="calls" calls={row.calls} query={{ tool }} />],
          ["Failed", <CallsLink key="failed" calls={row.failed} query={{ tool, ...FAILED_CALLS }} />],
          ["Unknown", <CallsLink key="unknown" calls={row.unknown} query={{ tool, status: "unknown" }} />],
          [
            "Recovered",
            <CallsLink key="recovered" calls={row.recovered} query={{ tool, link: "recovered" }}>
              {percent(row.recovered_rate)}
            </CallsLink>,
          ],
          ["p95", duration(row.p95_ms)],
        ]}
      />
      <div class="figures-split">
        <PhaseBar phases={row.phases} />
        <PhaseLegend phases={row.phases} query={{ tool }} />
      </div>
    </div>
  );
}
