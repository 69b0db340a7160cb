import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Hasher } from "../../core/model/call-key.ts";
import type { StoredCall } from "../../core/repair/index.ts";
import { canAskAgain } from "../../core/second-chance/index.ts";
import { type Api, type HeaderLookup, type PathFacts, readIdentity, readPath } from "../../core/wire/index.ts";
import { decodeBody } from "../body/body-decoder.ts";
import type { BodyMemory } from "../body/body-memory.ts";
import type { RewrittenBody } from "../body/buffer-request.ts";
import { ExchangeGuard, type ExchangeGuardOptions } from "../guard/exchange-guard.ts";
import type { OnFailure } from "../http/error-boundary.ts";
import { withPositions } from "../recording/call-positions.ts";
import { ExchangeRecorder, type RecordingContext } from "../recording/exchange-recorder.ts";
import { sessionOfRequest } from "../recording/exchange-thread.ts";
import { ExchangeRepair, type ExchangeRepairOptions, type RepairTarget } from "../repair/exchange-repair.ts";
import { couldRewriteRequest, type RewriteOptions, rewriteRequest } from "../repair/rewrite-request.ts";
import { ExchangeSecondChance, type ExchangeSecondChanceOptions } from "../second-chance/exchange-second-chance.ts";
import { headFor, isAnthropicHost, type Upstream } from "../upstreams.ts";
import { Exchange, type ExchangeOptions } from "./exchange.ts";
import type { ConversationReader } from "./request-reader.ts";

export interface ExchangeContext {
  readonly recording: RecordingContext;
  readonly exchanges: OpenExchanges;
  readonly repair: ExchangeRepairOptions;
  /** Absent: no response is asked for again. */
  readonly secondChance?: ExchangeSecondChanceOptions;
  /** Absent: every request is read whole. */
  readonly bodies?: BodyMemory | undefined;
  /** Absent: requests are never changed or refused because of a loop. */
  readonly guard?: ExchangeGuardOptions;
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
export function createExchange(forwarded: ForwardedRequest, context: ExchangeContext): Exchange | undefined {
  try {
    const facts = forwarded.request.method === "POST" ? readPath(forwarded.path) : undefined;
    return facts === undefined ? undefined : createFor(facts, forwarded, context);
  } catch (error) {
    context.onFailure("recording", error);
    return undefined;
  }
}

function createFor(
  facts: PathFacts,
  { header, upstream }: ForwardedRequest,
  context: ExchangeContext,
): Exchange | undefined {
  const { api, ...pathFacts } = facts;
  const { recording, exchanges, onFailure } = context;
  const { pendingCalls } = context.repair;
  const { responses, now, observer } = recording;
  const head = headFor(upstream, header);
  const { name: provider } = upstream;
  const isRecorded = head("x-toolmend-record") !== "off";
  const session: RepairTarget["session"] = (body, restore) =>
    sessionOfRequest(body, restore, { api, head, provider, responses, hash: observer.hash, now });
  const secondChance =
    canAskAgain(api) &&
    context.secondChance?.control.couldAct(provider) === true &&
    head("x-toolmend-second-chance") !== "off"
      ? new ExchangeSecondChance({ api, upstream: provider, session }, context.secondChance)
      : undefined;
  const repair = new ExchangeRepair(
    {
      ...{ api, upstream: provider, session },
      isAnthropic: isAnthropicHost(upstream.url.hostname),
      isArrayStream: api === "gemini" && facts.stream === true,
      isBinary: facts.isBinary === true,
      ...(isRecorded && {
        storage: {
          canStore: (args: string) => pendingCalls.placeFor(args, observer) !== undefined,
          keep: (id: string, call: StoredCall) => pendingCalls.keep(readIdentity(head, {}).project, id, call, observer),
        },
      }),
    },
    context.repair,
    secondChance,
  );
  const guard =
    context.guard?.control.couldAct(provider) === true && head("x-toolmend-guard") !== "off"
      ? new ExchangeGuard(api, provider, context.guard, facts.model)
      : undefined;
  if (!isRecorded && !repair.canRewrite && guard === undefined) return undefined;
  const requestEncoding = head("content-encoding");
  const { bodies } = context;
  const inserted: string[] = [];
  const rewriting = {
    ...rewriteOptions({ api, provider, head, requestEncoding, isRecorded, model: facts.model }, context),
    onInserted: (id: string) => inserted.push(id),
  };
  return new Exchange({
    api,
    pathFacts,
    requestEncoding,
    ...(isRecorded &&
      bodies !== undefined && { conversation: conversationReader(bodies, api, provider, head, observer.hash) }),
    ...(repair.canObserve && { repair }),
    ...(isRecorded && {
      recorder: withPositions(
        api,
        head("user-agent") ?? "",
        new ExchangeRecorder(recording, {
          ...{ api, provider, request_id: requestId(now()), head },
          ...(guard !== undefined && { guardFact: () => guard.fact }),
          ...(secondChance !== undefined && { secondChance: () => secondChance.report }),
          onEnd: ({ status }) => {
            if (inserted.length > 0 && status >= 200 && status < 300)
              pendingCalls.markUsed(readIdentity(head, {}).project, inserted);
          },
        }),
      ),
    }),
    ...rewriteWith(rewriting, guard),
    now,
    onUnreadable: (reason) => {
      if (isRecorded) recording.onUnreadable(reason);
    },
    onFailure: (error) => onFailure("recording", error),
    onDone: exchanges.begin(),
  });
}

function conversationReader(
  bodies: BodyMemory,
  api: Api,
  provider: string,
  head: HeaderLookup,
  hash: Hasher,
): ConversationReader {
  let name: string | undefined;
  const key = (): string => {
    name ??= conversationKey(api, provider, head, hash);
    return name;
  };
  return {
    hasTools: () => bodies.hasTools(key),
    read: (chunks) => bodies.read(key, chunks),
    readSlowly: (chunks) => bodies.readSlowly(key, chunks),
  };
}

/** Of equal bytes under another credential or project nothing is known. */
function conversationKey(api: Api, provider: string, head: HeaderLookup, hash: Hasher): string {
  const { project, session_id = "", agent_id } = readIdentity(head, {});
  const credential = head("x-api-key") ?? head("authorization") ?? "";
  return [api, provider, project, session_id, agent_id, hash(`credential\u0000${credential}`)].join("\u0000");
}

/** The steps that may change a request, in order. */
function rewriteWith(
  rewriting: RewriteOptions,
  guard: ExchangeGuard | undefined,
): Pick<ExchangeOptions, "rewrite" | "isRefused"> {
  const mayRepair = couldRewriteRequest(rewriting);
  if (guard === undefined) return mayRepair ? { rewrite: (body) => rewriteRequest(body, rewriting) } : {};
  const check = (original: Buffer, rewritten: Buffer | undefined): RewrittenBody => {
    const { encoding } = rewriting;
    const plain = rewritten ?? (encoding === undefined ? original : decodeBody(encoding, original));
    return plain === undefined ? undefined : (guard.check(plain) ?? rewritten);
  };
  return {
    isRefused: () => guard.fact?.action === "stop",
    rewrite(body) {
      const rewritten = mayRepair ? rewriteRequest(body, rewriting) : undefined;
      return rewritten instanceof Promise ? rewritten.then((one) => check(body, one)) : check(body, rewritten);
    },
  };
}

interface RewriteStart {
  readonly api: Api;
  readonly provider: string;
  readonly head: HeaderLookup;
  readonly requestEncoding: string | undefined;
  readonly isRecorded: boolean;
  readonly model: string | undefined;
}

function rewriteOptions(start: RewriteStart, { repair }: ExchangeContext): RewriteOptions {
  const { api, provider, head, requestEncoding, isRecorded, model } = start;
  const { control, pendingCalls } = repair;
  const lookUp = (ids: readonly string[]): Promise<void> => pendingCalls.lookUp(readIdentity(head, {}).project, ids);
  return {
    ...{ api, upstream: provider, model, encoding: requestEncoding, control, pendingCalls },
    ...(pendingCalls.isShared && isRecorded && { lookUp }),
  };
}

/** Counts exchanges that are still being read. Reading may end after the client has received its response. */
export class OpenExchanges {
  #open = 0;
  #waiting: (() => void)[] = [];

  /** Returns a callback to call once, when the exchange has been reported. */
  begin(): () => void {
    this.#open += 1;
    return () => {
      this.#open -= 1;
      if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Waits until no exchange is open. */
  async settled(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Generates a version 7 UUID. Ids of the same time are adjacent in an index, so a batch of requests touches few pages.
 */
export function requestId(now: number): string {
  const time = Math.max(0, Math.trunc(now)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
