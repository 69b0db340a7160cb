import type { Timeline, TimelineCall, TimelineLink } from "./timeline.ts";

export const ROW = 30;
const LANE = 18;
const LEFT = 14;
const BULGE = 26;

export function graphWidth({ lanes }: Timeline): number {
  return LEFT + Math.max(1, lanes.length) * LANE + BULGE;
}

interface LaneGraphProps {
  readonly timeline: Timeline;
  /** Rows that are rendered. */
  readonly from: number;
  readonly to: number;
}

/**
 * One lane per agent; retries are dashed lines, follow-ons solid ones. Draws only links that touch the rendered rows.
 */
export function LaneGraph({ timeline, from, to }: LaneGraphProps) {
  const width = graphWidth(timeline);
  const height = timeline.calls.length * ROW;
  const isNear = (first: number, last: number): boolean => first < to && last >= from;
  return (
    <svg class="lanes" width={width} height={height} role="img" aria-label={sentence(timeline)}>
      {timeline.lanes.map(({ names, first, last }, lane) => (
        <path key={names[0]} class="lane" d={`M${x(lane)} ${y(Math.max(first, from - 1))}V${y(Math.min(last, to))}`} />
      ))}
      {timeline.links
        .filter((link) => isNear(link.from.row, link.to.row))
        .map((link) => (
          <Link key={`${link.kind} ${link.to.row}`} link={link} right={width - BULGE} />
        ))}
      {timeline.calls.slice(Math.max(0, from), to).map((one) => (
        <Dot key={one.call.id} one={one} />
      ))}
    </svg>
  );
}

function Link({ link: { kind, from, to }, right }: { readonly link: TimelineLink; readonly right: number }) {
  const distance = to.row - from.row;
  const bend = right + Math.min(BULGE, 6 + 4 * distance) + (kind === "follow" ? 6 : 0);
  const [x1, y1, x2, y2] = [x(from.lane), y(from.row), x(to.lane), y(to.row)];
  const text =
    kind === "retry"
      ? `call ${to.number} is a retry of call ${from.number}`
      : `call ${to.number} is a follow-on of call ${from.number}`;
  return (
    <path class={`link link-${kind}`} d={`M${x1 + 5} ${y1}C${bend} ${y1 + 6} ${bend} ${y2 - 6} ${x2 + 6} ${y2}`}>
      <title>{text}</title>
    </path>
  );
}

/** Statuses differ in shape as well as in color. */
function Dot({ one: { call, row, lane } }: { readonly one: TimelineCall }) {
  const [cx, cy] = [x(lane), y(row)];
  if (call.status === "failed")
    return <rect class="dot dot-failed" x={cx - 5} y={cy - 5} width="10" height="10" rx="2" />;
  if (call.status === "ok") return <circle class="dot dot-ok" cx={cx} cy={cy} r="4.5" />;
  return <rect class="dot dot-unknown" x={cx - 4} y={cy - 4} width="8" height="8" rx="1" />;
}

function x(lane: number): number {
  return LEFT + lane * LANE;
}

function y(row: number): number {
  return row * ROW + ROW / 2;
}

function sentence({ calls, lanes, links, roots }: Timeline): string {
  const retries = links.filter(({ kind }) => kind === "retry").length;
  const followOns = roots.reduce((sum, root) => sum + root.followOns, 0);
  return `${calls.length} calls in ${lanes.length} lanes, ${retries} retries, ${roots.length} root failures with ${followOns} follow-ons`;
}
