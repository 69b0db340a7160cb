import { reasonText } from "../../core/repair/index.ts";
import type { GuardRow, LeakRow, SessionDetail } from "../../store/port.ts";
import type { Style } from "../format.ts";
import { oneLineText } from "../table.ts";

/** Something in a session that is not a call: an action of the guard, or a leak that stayed text. */
export interface Incident {
  readonly at: string;
  readonly agent_id: string;
  readonly style: Style;
  readonly text: string;
  /** More about it; empty if nothing is stored. */
  readonly below: string;
}

/** Everything in a session that is not a call, oldest first. */
export function incidentsOf({ guard, leaks }: Pick<SessionDetail, "guard" | "leaks">): readonly Incident[] {
  return [...guard.map(guardIncident), ...unrepaired(leaks).map(leakIncident)].sort((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  );
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

function guardIncident({ at, agent_id, action, run, tools, kind, requests }: GuardRow): Incident {
  const what = `${tools.slice(0, MAX_TOOLS).join(", ")}, ${kind === "failing" ? "same failure" : "same result"}`;
  const done = action === "stop" ? "stopped the agent" : "note to the model";
  const copies = action === "stop" && requests > 1 ? `; ${requests} requests refused` : "";
  const text = oneLineText(`guard: ${done} after a run of ${run} (${what})${copies}`);
  return { at, agent_id, style: "bad", text, below: "" };
}
