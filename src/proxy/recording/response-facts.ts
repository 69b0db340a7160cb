import type {
  CallObservation,
  CallRepairFacts,
  LeakedCall,
  LeakObservation,
  SecondChanceFacts,
} from "../../core/model/observation.ts";
import { hasTokens } from "../../core/model/token-usage.ts";
import type { CallReport, LeakReport } from "../../core/repair/index.ts";
import type { DecodedResponse } from "../../core/wire/index.ts";
import { argumentText } from "../../ingest/observe/argument-facts.ts";
import type { CallObserver } from "../../ingest/observe/observe-call.ts";
import type { Repaired } from "../repair/exchange-repair.ts";
import type { SecondChanceReport } from "../second-chance/exchange-second-chance.ts";

const MAX_REPORTED_REPAIRS = 32;
export const MAX_REPORTED_CALLS = 20;
const MAX_REPORTED_NAME_CHARS = 128;

/** Where a call came from. */
export type Recovery = Pick<CallObservation, "origin" | "format" | "repairs">;

/** The calls of a response that repair made or renamed, by id. */
export function recoveriesOf(repaired: Repaired | undefined): ReadonlyMap<string, Recovery> {
  const recoveries = new Map<string, Recovery>(
    repaired?.calls.map(({ id, format, repairs }) => [id, { origin: "recovered", format, repairs }]),
  );
  // A recovered leak whose id is not a repaired call is a native call with a corrected name.
  for (const { result, format, repairs, tool_call_ids: changed } of repaired?.leaks ?? [])
    for (const id of result === "recovered" ? changed : [])
      if (!recoveries.has(id)) recoveries.set(id, { origin: "native", format, repairs });
  return recoveries;
}

/** What was repaired in a native call. With text: the observer reduces it. */
export function callRepairFacts(report: CallReport | undefined): { readonly call_repair?: CallRepairFacts } {
  if (report === undefined) return {};
  const { tool_call_id: _id, tool_name: _name, repairs: all, ...rest } = report;
  const repairs = all.slice(0, MAX_REPORTED_REPAIRS);
  return {
    call_repair: {
      ...rest,
      classes: repairs.map((repair) => repair.class),
      paths: repairs.map(({ path }) => path),
    },
  };
}

/** A leak without the fields of its exchange. */
export type LeakFacts = Omit<LeakReport, "names" | "before"> & Pick<LeakObservation, "tool_names" | "before" | "after">;

export function leakFacts(
  { names, before: written, ...rest }: LeakReport,
  response: DecodedResponse | undefined,
  observer: CallObserver,
): LeakFacts {
  const before = written === undefined ? undefined : observer.captureText(written, "result");
  return {
    ...rest,
    // A leaked name may be any text.
    tool_names: names.slice(0, MAX_REPORTED_CALLS).map((name) => observer.safeName(name, MAX_REPORTED_NAME_CHARS)),
    ...(before !== undefined && { before, after: callsOfLeak(rest, response, observer) }),
  };
}

/** Returns the repaired calls of a leak as sent to the client. */
function callsOfLeak(
  { result, tool_call_ids: ids }: Pick<LeakReport, "result" | "tool_call_ids">,
  response: DecodedResponse | undefined,
  observer: CallObserver,
): readonly LeakedCall[] {
  const made = new Map(response?.calls.map((call) => [call.id, call]));
  return (result === "recovered" ? ids.slice(0, MAX_REPORTED_CALLS) : []).flatMap((id) => {
    const call = made.get(id);
    if (call === undefined) return [];
    const args = observer.captureText(argumentText(call.arguments), "arguments") ?? "";
    return [{ tool_name: observer.safeName(call.name, MAX_REPORTED_NAME_CHARS), arguments: args }];
  });
}

/** Why and with what result the model was asked again. */
export function secondChanceFacts(
  report: SecondChanceReport | undefined,
  observer: CallObserver,
): { readonly second_chance?: SecondChanceFacts } {
  if (report === undefined) return {};
  const calls = report.calls.slice(0, MAX_REPORTED_CALLS).map(({ call, reason }) => {
    const args = observer.captureText(call.arguments, "arguments");
    // The name and the id of a call that cannot work may be any text.
    const names = {
      tool_call_id: observer.safeName(call.id, MAX_REPORTED_NAME_CHARS),
      tool_name: observer.safeName(call.name, MAX_REPORTED_NAME_CHARS),
    };
    return { ...names, reason, ...(args !== undefined && { arguments: args }) };
  });
  const { reason, result, durationMs, usage, firstUsage, status } = report;
  return {
    second_chance: {
      reason,
      result,
      duration_ms: durationMs,
      ...(hasTokens(firstUsage) && { first_usage: firstUsage }),
      ...(hasTokens(usage) && { usage }),
      ...(status !== undefined && { http_status: status }),
      calls,
      healed_by: report.healedBy
        .slice(0, MAX_REPORTED_CALLS)
        .map((id) => observer.safeName(id, MAX_REPORTED_NAME_CHARS)),
    },
  };
}
