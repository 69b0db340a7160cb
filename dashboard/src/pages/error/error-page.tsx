import type { ErrorResponse } from "../../../../src/api/errors.ts";
import type { CallPage } from "../../../../src/store/port.ts";
import { CallsLink } from "../../components/calls-link.tsx";
import { Category } from "../../components/category.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Link } from "../../components/link.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { ShareList } from "../../components/share-list.tsx";
import { StatList } from "../../components/stat-list.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import type { Query } from "../../route.ts";
import { spanText } from "../../session-label.ts";
import { place, useSubject } from "../../state.ts";
import { ListedCallPane } from "../calls/calls-page.tsx";
import { CallsTable } from "../calls/calls-table.tsx";
import { ErrorShares, errorPath, ofError } from "../errors/error-shares.tsx";
import { DayChart } from "./day-chart.tsx";
import { effectWords, perDay } from "./effect-words.ts";
import { StateBadge, StateButtons } from "./error-state.tsx";
import { errorMarkdown } from "./markdown.ts";

const OCCURRENCES = "20";

/** One error over all time: when, where, what may help, and its newest occurrences. */
export function ErrorPage() {
  const { fingerprint = "", project = "default", open } = place.value.query;
  const { value: detail, error: problem } = useQuery<ErrorResponse>(errorPath(fingerprint, project));
  const { value: calls, isOld } = useQuery<CallPage>(
    `/api/calls?${new URLSearchParams({ fingerprint, project, limit: OCCURRENCES })}`,
  );
  useSubject(detail?.error.title);
  if (detail === undefined && problem?.status === 404)
    return (
      <EmptyMessage>
        Error not found; its calls may have been deleted. <Link page="errors">All errors</Link>
      </EmptyMessage>
    );
  if (detail === undefined) return <Waiting />;
  const { error } = detail;
  const all = { ...ofError(error), range: "all" };
  const chosen = calls?.calls.find((call) => call.id === open);
  return (
    <div class={chosen === undefined ? "" : "with-pane"}>
      <div class="page-part">
        <PageHead
          title={
            <>
              <Link page="errors">Errors</Link> <span class="faint">/</span>{" "}
              <bdi class="wrap">{visible(error.title)}</bdi> <StateBadge state={error.state} />
            </>
          }
        >
          <StateButtons error={error} />
          <CopyButton label="Copy as Markdown" text={() => errorMarkdown(detail, calls?.calls[0])} />
        </PageHead>
        <Facts detail={detail} all={all} />
        <div class="columns">
          <div class="stack">
            <Panel title="Occurrences by day" note="last 30 days, UTC">
              <DayChart days={detail.days} query={ofError(error)} />
            </Panel>
            <Panel title="Message" note="one sample, redacted">
              <div class="panel-body">
                {error.sample === "" ? (
                  <p class="faint">Its text is not stored (--capture none).</p>
                ) : (
                  <TextBlock title="Sample" text={error.sample} />
                )}
              </div>
            </Panel>
            <WhatMayHelp error={error} />
            <SinceResolved detail={detail} />
          </div>
          <div class="stack">
            <Panel title="Tools" note="all time">
              <ErrorShares row={error} by="tool" />
            </Panel>
            <Panel title="Models" note="all time">
              <ErrorShares row={error} by="model" />
            </Panel>
            <Panel title="Clients" note="of the newest occurrences">
              <Clients detail={detail} />
            </Panel>
          </div>
        </div>
        <Panel title="Occurrences" note={`newest ${calls?.calls.length ?? 0}`} rows={calls?.calls} busy={isOld}>
          <CallsTable rows={calls?.calls ?? []} nothing={calls && "Its calls were deleted."} />
        </Panel>
      </div>
      {chosen !== undefined && <ListedCallPane call={chosen} />}
    </div>
  );
}

function Facts({ detail: { error }, all }: { readonly detail: ErrorResponse; readonly all: Query }) {
  return (
    <div class="figures-row">
      <StatList
        figures={[
          ["Times, all time", <CallsLink key="times" calls={error.count} query={all} />],
          ["Category", <Category key="category" name={error.category} />],
          ["First seen", error.first_at === null ? "–" : <TimeAgo key="first" at={Date.parse(error.first_at)} />],
          ["Last seen", error.last_at === null ? "–" : <TimeAgo key="last" at={Date.parse(error.last_at)} />],
          [
            "State",
            <span key="state" class={error.state === "regressed" ? "tone-bad" : ""}>
              {error.state}{" "}
              {error.state_at !== null && (
                <span class="faint">
                  {error.state === "regressed" ? "resolved " : ""}
                  <TimeAgo at={Date.parse(error.state_at)} />
                </span>
              )}
            </span>,
          ],
        ]}
      />
    </div>
  );
}

function WhatMayHelp({ error: { advice } }: Pick<ErrorResponse, "error">) {
  if (advice === null || advice === undefined) return null;
  return (
    <Panel title="What may help" actions={<CopyButton label="Copy" text={() => advice.text} />}>
      <p class="panel-body">{advice.text}</p>
    </Panel>
  );
}

/** The effect after the user followed the advice, or changed something else. */
function SinceResolved({ detail: { error, effect } }: { readonly detail: ErrorResponse }) {
  if (effect === null) return null;
  const { before, after } = effect;
  const days = (Date.parse(after.until) - Date.parse(after.since)) / 86_400_000;
  const rows = [
    ["Before", before],
    ["Since", after],
  ] as const;
  const shares = rows.map(([key, { since, until, failed, ok }]) => ({
    ...{ key, label: key, value: failed / Math.max(1, ok + failed), calls: failed },
    query: { ...ofError(error), since, until, range: "all" },
    end: `${count(failed)} of ${count(ok + failed)} · ${perDay(failed, days)} a day`,
  }));
  return (
    <Panel
      title="Since it was resolved"
      note={`${days < 2 ? spanText(days * 86_400_000) : `${days.toFixed(1)} days`} on each side, of all calls of its tools`}
    >
      <ShareList label="Occurrences before and after" shares={shares} full={1} />
      <p class="panel-body">{effectWords(effect)}</p>
    </Panel>
  );
}

function Clients({ detail: { clients, error } }: { readonly detail: ErrorResponse }) {
  const byName = Map.groupBy(clients, ({ client }) => client ?? "unknown");
  const shares = [...byName].map(([client, rows]) => {
    const value = rows.reduce((sum, row) => sum + row.count, 0);
    const versions = rows.flatMap(({ client_version: version, count }) =>
      version === null ? [] : [`${version} (${count})`],
    );
    return {
      ...{ key: client, value, calls: value, query: { ...ofError(error), client, range: "all" } },
      label: <UntrustedText text={[client, ...versions].join(" ")} />,
    };
  });
  return <ShareList label="Failures by client" shares={shares} />;
}
