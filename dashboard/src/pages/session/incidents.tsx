import type { ComponentChildren } from "preact";
import { reasonText } from "../../../../src/core/repair/reason-text.ts";
import type { FailedExchangeRow, GuardRow, LeakRow, SessionDetail } from "../../../../src/store/port.ts";
import { TextBlock } from "../../components/text-block.tsx";
import { exactTime, visible } from "../../format.ts";
import type { Timeline } from "./timeline.ts";

const NEWEST = 5;

/** What happened between the calls of a session: failed requests, leaks that stayed text, actions of the guard. */
export function Incidents({ detail, timeline }: { readonly detail: SessionDetail; readonly timeline: Timeline }) {
  const left = detail.leaks.filter(({ result }) => result === "left");
  return (
    <>
      <List label="Failed requests" all={detail.failed_exchanges}>
        {(one) => (
          <li key={one.request_id} title={exactTime(Date.parse(one.at))}>
            <span class="tone-bad">✕</span> <ExchangeText one={one} />
            {afterText(one, timeline)}
          </li>
        )}
      </List>
      <List label="Leaks left as text" all={left}>
        {(leak) => (
          <LeakText key={`${leak.request_id} ${leak.format} ${leak.reason}`} leak={leak} timeline={timeline} />
        )}
      </List>
      <List label="Actions of the guard" all={detail.guard}>
        {(one) => (
          <li key={one.at}>
            <span class="tone-bad">!</span> <GuardText one={one} timeline={timeline} />
          </li>
        )}
      </List>
    </>
  );
}

interface ListProps<Row> {
  readonly label: string;
  readonly all: readonly Row[];
  readonly children: (row: Row) => ComponentChildren;
}

/** The newest of them. */
function List<Row>({ label, all, children }: ListProps<Row>) {
  if (all.length === 0) return null;
  const earlier = all.length - NEWEST;
  return (
    <ul class="roots" aria-label={label}>
      {earlier > 0 && <li class="faint">{earlier} earlier</li>}
      {all.slice(-NEWEST).map(children)}
    </ul>
  );
}

type Placed = Pick<GuardRow, "at" | "agent_id">;

/** " after call 3", or nothing before the first call. */
function afterText(one: Placed, { calls }: Timeline): string {
  const before = calls.findLast(({ call }) => call.agent_id === one.agent_id && call.at <= one.at);
  return before === undefined ? "" : ` after call ${before.number}`;
}

function ExchangeText({ one: { http_status, provider } }: { readonly one: FailedExchangeRow }) {
  const upstream = <bdi>{visible(provider ?? "the upstream")}</bdi>;
  if (http_status >= 400)
    return (
      <>
        HTTP {http_status} from {upstream}
      </>
    );
  return http_status === 0 ? <>No response from {upstream}</> : <>Response from {upstream} broke off</>;
}

function LeakText({ leak, timeline }: { readonly leak: LeakRow; readonly timeline: Timeline }) {
  const tools = leak.tool_names.length === 0 ? "unknown tool" : leak.tool_names.slice(0, 4).join(", ");
  const what = leak.parsed > 1 ? `${leak.parsed} leaked calls` : "Leaked call";
  const line = (
    <>
      <span class="tone-warn">!</span>{" "}
      <span title={exactTime(Date.parse(leak.at))}>
        {what} left as text{afterText(leak, timeline)}: <bdi>{visible(tools)}</bdi>{" "}
        {leak.reason !== null && <span class="faint">· {reasonText(leak.reason)}</span>}
      </span>
    </>
  );
  if (leak.before === null) return <li>{line}</li>;
  return (
    <li>
      <details>
        <summary>{line}</summary>
        <TextBlock title="Model output" text={leak.before} />
      </details>
    </li>
  );
}

function GuardText({ one, timeline }: { readonly one: GuardRow; readonly timeline: Timeline }) {
  return (
    <span title={exactTime(Date.parse(one.at))}>
      Guard: {one.action === "stop" ? "stopped" : "note"}
      {afterText(one, timeline)}, {one.kind}, run of {one.run} (<bdi>{visible(one.tools.slice(0, 4).join(", "))}</bdi>)
      {one.requests > 1 && `, ${one.requests} requests`}
    </span>
  );
}
