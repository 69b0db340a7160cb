import { STATUS_CODES } from "node:http";
import { reasonText } from "../../core/repair/index.ts";
import type { FailedExchangeRow, GuardRow, LeakRow, SessionDetail } from "../../store/port.ts";
import type { Style } from "../format.ts";
import { oneLineText } from "../table.ts";

/** Something in a session that is not a call: an action of the guard, a leak that stayed text, or a failed exchange. */
export interface Incident {
  readonly at: string;
  readonly agent_id: string;
  readonly style: Style;
  readonly text: string;
  /** More about it; empty if nothing is stored. */
  readonly below: string;
}

type Source = Pick<SessionDetail, "guard" | "leaks" | "failed_exchanges">;

/** Everything in a session that is not a call, oldest first. */
export function incidentsOf({ guard, leaks, failed_exchanges }: Source): readonly Incident[] {
  const all = [
    ...guard.map(guardIncident),
    ...unrepaired(leaks).map(leakIncident),
    ...failed_exchanges.map(exchangeIncident),
  ];
  return all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** Joins repetitions, such as a client's retries: the first one, with their number. */
export function joinRepeated(incidents: readonly Incident[]): readonly Incident[] {
  const joined: { readonly first: Incident; times: number }[] = [];
  for (const incident of incidents) {
    const last = joined.at(-1);
    if (last?.first.text === incident.text && last.first.below === incident.below) last.times += 1;
    else joined.push({ first: incident, times: 1 });
  }
  return joined.map(({ first, times }) => (times === 1 ? first : { ...first, text: `${first.text} (${times} times)` }));
}

/** Repaired leaks are calls. */
export function unrepaired(leaks: readonly LeakRow[]): readonly LeakRow[] {
  return leaks.filter(({ result }) => result === "left");
}

/** How many calls a leak contains. A leak that could not be parsed counts as one. */
export function callsIn({ parsed }: LeakRow): number {
  return Math.max(1, parsed);
}

const MAX_TOOLS = 4;

function leakIncident(leak: LeakRow): Incident {
  const { at, agent_id, format, reason, tool_names, before } = leak;
  const what = callsIn(leak) === 1 ? "leaked call" : `${callsIn(leak)} leaked calls`;
  const name = tool_names.length === 0 ? "unknown tool" : tool_names.slice(0, MAX_TOOLS).join(", ");
  const why = reason === null ? "" : `: ${reasonText(reason)}`;
  const text = oneLineText(`${what} left as text: ${name} (${format})${why}`);
  return { at, agent_id, style: "doubtful", text, below: oneLineText(before ?? "") };
}

function exchangeIncident({ at, agent_id, http_status, provider }: FailedExchangeRow): Incident {
  const upstream = provider ?? "the upstream";
  const reason = STATUS_CODES[http_status];
  const status = `HTTP ${http_status}${reason === undefined ? "" : ` ${reason}`} from ${upstream}`;
  const other = http_status === 0 ? `no response from ${upstream}` : `response from ${upstream} broke off`;
  return { at, agent_id, style: "bad", text: oneLineText(http_status >= 400 ? status : other), below: "" };
}

function guardIncident({ at, agent_id, action, run, tools, kind, requests }: GuardRow): Incident {
  const what = `${tools.slice(0, MAX_TOOLS).join(", ")}, ${kind === "failing" ? "same failure" : "same result"}`;
  const done = action === "stop" ? "stopped the agent" : "note to the model";
  const copies = action === "stop" && requests > 1 ? `; ${requests} requests refused` : "";
  const text = oneLineText(`guard: ${done} after a run of ${run} (${what})${copies}`);
  return { at, agent_id, style: "bad", text, below: "" };
}
