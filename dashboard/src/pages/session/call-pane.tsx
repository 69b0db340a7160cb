import type { ComponentChildren } from "preact";
import { Category } from "../../components/category.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { Facts, Pane } from "../../components/pane.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { bytes, duration, exactTime, visible } from "../../format.ts";
import { show } from "../../state.ts";
import { toneOfStatus } from "../../tone.ts";
import { type AnyCall, Tags } from "./tags.tsx";
import type { Timeline, TimelineCall } from "./timeline.ts";

/** Details of one call of a session. */
export function CallPane({
  one: { call, number },
  timeline,
}: {
  readonly one: TimelineCall;
  readonly timeline: Timeline;
}) {
  return (
    <CallDetails call={call} title={`${number}. ${visible(call.tool_name)}`} linkTo={(id) => jump(id, timeline)} />
  );
}

interface CallDetailsProps {
  readonly call: AnyCall;
  readonly title: string;
  /** Shows a call that this one is linked to. */
  readonly linkTo: (id: string) => ComponentChildren;
  readonly links?: ComponentChildren;
}

export function CallDetails({ call, title, linkTo, links }: CallDetailsProps) {
  const size = (value: number | null): string | null => (value === null ? null : bytes(value));
  const linked = (id: string | null): ComponentChildren => (id === null ? null : linkTo(id));
  return (
    <Pane title={title}>
      <p class="pane-status">
        <Glyph tone={toneOfStatus(call.status)} label={call.status} /> {call.status} <Category name={call.category} />{" "}
        <Tags call={call} />
      </p>
      {call.status_message !== null && <TextBlock title="Status message" text={call.status_message} />}
      {call.arguments_preview !== null && <TextBlock title="Arguments" text={call.arguments_preview} />}
      {call.repair?.before !== undefined && <TextBlock title="Arguments before repair" text={call.repair.before} />}
      {call.excerpt !== null && <TextBlock title="Excerpt of the result" text={call.excerpt} />}
      {call.arguments_preview === null && call.excerpt === null && (
        <p class="faint">
          Text is stored for failures only, redacted and truncated (<code>--capture full</code> changes this).
        </p>
      )}
      <Facts
        facts={[
          ["Retry of", linked(call.retry_of)],
          ["Recovered by", linked(call.recovered_by)],
          ["Root failure", linked(call.cascade_of)],
          ["Shared resource", call.cascade_rule],
          ["Phase", call.phase],
          ["Severity", call.severity],
          ["Retryable", call.retryable],
          ["Exit code", call.exit_code],
          [
            "Rule",
            call.rule === null ? null : `${call.rule} (${Math.round(100 * (call.confidence ?? 0))}% confidence)`,
          ],
          ["Took", call.execution_time_ms === null ? null : duration(call.execution_time_ms)],
          ["Time to result", call.turnaround_ms === null ? null : duration(call.turnaround_ms)],
          ["Arguments", size(call.input_size_bytes)],
          ["Result", size(call.output_size_bytes)],
          ["Model", call.model_name === null ? null : <bdi key="model">{visible(call.model_name)}</bdi>],
          ["Provider", call.provider],
          ["Client", client(call)],
          ["Agent", <bdi key="agent">{visible(call.agent_id)}</bdi>],
          ["Workflow", call.workflow],
          ["Leak format", call.format],
          ["Repair", call.repair === null ? null : `${call.repair.result}: ${repairText(call.repair)}`],
          ["Source", call.source],
          ["Called", exactTime(Date.parse(call.at))],
          [
            "Call id",
            <span key="id">
              <code>{visible(call.tool_call_id)}</code>{" "}
              <CopyButton small label="Copy call id" text={() => call.tool_call_id} />
            </span>,
          ],
        ]}
      />
      <p class="pane-links">
        {links}
        <Link page="calls" query={{ tool: call.tool_name }}>
          All calls of this tool
        </Link>
        <Link page="tool" query={{ name: call.tool_name }}>
          The tool
        </Link>
        {call.fingerprint !== null && (
          <Link page="errors" query={{ open: call.fingerprint }}>
            The same error elsewhere
          </Link>
        )}
      </p>
    </Pane>
  );
}

function repairText({ classes, problem, reason }: NonNullable<TimelineCall["call"]["repair"]>): string {
  return visible([...classes, problem ?? "", reason ?? ""].filter((part) => part !== "").join(", "));
}

function client({ client: name, client_version: version }: AnyCall): ComponentChildren {
  return name === null ? null : <bdi>{visible([name, version].filter(Boolean).join(" "))}</bdi>;
}

function jump(id: string, timeline: Timeline): ComponentChildren {
  const target = timeline.calls.find(({ call }) => call.id === id);
  if (target === undefined) return <span class="faint">a call on another page</span>;
  return (
    <button type="button" class="jump" onClick={() => show({ open: id })}>
      call {target.number} · <bdi>{visible(target.call.tool_name)}</bdi>
    </button>
  );
}
