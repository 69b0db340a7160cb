import { isPlaceholderId, positionalId } from "../../core/wire/call-position.ts";
import type { Api, DecodedRequest, DecodedResponse, MadeCall } from "../../core/wire/index.ts";
import type { ExchangeSink } from "../exchange/exchange.ts";
import type { Repaired } from "../repair/exchange-repair.ts";

/** Clients that make up an id for a call without one, and send it in the next request. */
const MAKES_IDS = /^GeminiCLI|\bai-sdk\//i;

/**
 * Wraps a recorder for APIs whose calls may have no id, or another one in the next request than in the response. It
 * names the calls of a response as the history of the next request will.
 */
export function withPositions(api: Api, userAgent: string, recorder: ExchangeSink): ExchangeSink {
  if (api !== "gemini" && api !== "ollama") return recorder;
  let history: DecodedRequest["calls"] = [];
  return {
    recordRequest(request, read, size) {
      // Only ids and names: the texts of the request can be collected while the response is pending.
      history = request.calls.map(({ id, n, name }) => ({ id, n, ...(name !== undefined && { name }) }));
      recorder.recordRequest(request, read, size);
    },
    recordEnd(response, stats, repaired) {
      const rename = api === "ollama" ? positionOf : geminiId(history, userAgent, repaired);
      const ids = new Map(
        response?.calls.map((call, index) => [call.id, rename(call, history.length + index)] as const),
      );
      recorder.recordEnd(response && renamedResponse(response, ids), stats, repaired && renamedRepair(repaired, ids));
    },
  };
}

function positionOf({ name }: MadeCall, position: number): string {
  return positionalId(name, position);
}

/** Empty for a call that is recorded only when the next request shows the id that the client gave it. */
function geminiId(
  history: DecodedRequest["calls"],
  userAgent: string,
  repaired: Repaired | undefined,
): (call: MadeCall, position: number) => string {
  const repairedIds = new Set(repaired?.calls.map(({ id }) => id));
  // The client sends back no ids, whatever the provider sent.
  const dropsIds = history.length > 0 && history.every(({ id, name = "" }, at) => id === positionalId(name, at));
  return (call, position) => {
    if (!isPlaceholderId(call.id) && (!dropsIds || repairedIds.has(call.id))) return call.id;
    return MAKES_IDS.test(userAgent) && isPlaceholderId(call.id) ? "" : positionOf(call, position);
  };
}

function renamedResponse(response: DecodedResponse, ids: ReadonlyMap<string, string>): DecodedResponse {
  return { ...response, calls: response.calls.map((call) => ({ ...call, id: ids.get(call.id) ?? call.id })) };
}

function renamedRepair({ leaks, calls, callReports }: Repaired, ids: ReadonlyMap<string, string>): Repaired {
  const renamed = (id: string): string => ids.get(id) ?? id;
  return {
    leaks: leaks.map((leak) => ({ ...leak, tool_call_ids: leak.tool_call_ids.map(renamed) })),
    calls: calls.map((call) => ({ ...call, id: renamed(call.id) })),
    callReports: callReports.map((report) => ({ ...report, tool_call_id: renamed(report.tool_call_id) })),
  };
}
