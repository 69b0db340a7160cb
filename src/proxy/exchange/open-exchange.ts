import type { IncomingMessage } from "node:http";
import { type Api, apiOfPath, type HeaderLookup, readIdentity } from "../../core/wire/index.ts";
import type { OnFailure } from "../http/error-boundary.ts";
import type { OpenExchanges } from "../http/open-exchanges.ts";
import { ExchangeRecorder, type RecordingContext } from "../recording/exchange-recorder.ts";
import { sessionOfRequest } from "../recording/exchange-thread.ts";
import { requestId } from "../recording/request-id.ts";
import { ExchangeRepair, type ExchangeRepairOptions } from "../repair/exchange-repair.ts";
import { couldRewriteRequest, type RewriteOptions, rewriteRequest } from "../repair/rewrite-request.ts";
import { headFor, type Upstream } from "../upstreams.ts";
import { Exchange } from "./exchange.ts";

export interface ExchangeContext {
  readonly recording: RecordingContext;
  readonly exchanges: OpenExchanges;
  readonly repair: ExchangeRepairOptions;
  /** Reports contained failures. */
  readonly onFailure: OnFailure;
}

/** A request that is about to be forwarded. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly header: HeaderLookup;
  /** Without token and query. */
  readonly path: string;
  readonly upstream: Upstream;
}

/**
 * Creates the exchange of a request to a model API. Returns undefined if it is neither recorded nor repaired, also if
 * its creation throws: the request is forwarded anyway.
 */
export function openExchange(forwarded: ForwardedRequest, context: ExchangeContext): Exchange | undefined {
  try {
    const api = forwarded.request.method === "POST" ? apiOfPath(forwarded.path) : undefined;
    return api === undefined ? undefined : create(api, forwarded, context);
  } catch (error) {
    context.onFailure("recording", error);
    return undefined;
  }
}

function create(api: Api, { header, upstream }: ForwardedRequest, context: ExchangeContext): Exchange | undefined {
  const { recording, exchanges, onFailure } = context;
  const { responses, now, observer } = recording;
  const head = headFor(upstream, header);
  const { name: provider } = upstream;
  const isRecorded = head("x-toolmend-record") !== "off";
  const repair = new ExchangeRepair(
    {
      api,
      upstream: provider,
      session: (body, restore) =>
        sessionOfRequest(api, body, restore, { head, provider, responses, hash: observer.hash, now }),
      ...(isRecorded && { canStoreCall: (args: string) => observer.capturesWhole(args) }),
    },
    context.repair,
  );
  if (!isRecorded && !repair.canRewrite) return undefined;
  const requestEncoding = head("content-encoding");
  const rewriting = rewriteOptions({ api, provider, head, requestEncoding, isRecorded }, context);
  return new Exchange({
    api,
    requestEncoding,
    ...(repair.canObserve && { repair }),
    ...(isRecorded && {
      recorder: new ExchangeRecorder(recording, { api, provider, request_id: requestId(now()), head }),
    }),
    ...(couldRewriteRequest(rewriting) && { rewrite: (body) => rewriteRequest(body, rewriting) }),
    now,
    onUnreadable: (reason) => {
      if (isRecorded) recording.onUnreadable(reason);
    },
    onFailure: (error) => onFailure("recording", error),
    onDone: exchanges.begin(),
  });
}

interface RewriteStart {
  readonly api: Api;
  readonly provider: string;
  readonly head: HeaderLookup;
  readonly requestEncoding: string | undefined;
  readonly isRecorded: boolean;
}

function rewriteOptions(start: RewriteStart, { repair }: ExchangeContext): RewriteOptions {
  const { api, provider, head, requestEncoding, isRecorded } = start;
  const { control, pendingCalls } = repair;
  const lookUp = (ids: readonly string[]): Promise<void> => pendingCalls.lookUp(readIdentity(head, {}).project, ids);
  return {
    ...{ api, upstream: provider, encoding: requestEncoding, control, pendingCalls },
    ...(pendingCalls.isShared && isRecorded && { lookUp }),
  };
}
