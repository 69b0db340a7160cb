import { type Fields, isObject, objects } from "../../wire/json.ts";
import type { Api, LeakReport, RepairedCall, StreamFrame, StreamRepairer } from "../types.ts";
import { jsonOf } from "./sse-frame.ts";

export interface DeferredRepairerOptions {
  /** Is what may be mended known by now? */
  readonly isReady: () => boolean;
  /** Asked once, when it is known or must be; undefined: nothing may be mended, and everything leaves as it comes. */
  readonly make: () => StreamRepairer | undefined;
  /** Reports exceptions; all events then pass through unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * A mender that can begin before anybody has read the request. How a stream opens says nothing that could be mended: these events leave at
 * once, and the mender is told of them afterwards.
 */
export function createDeferredRepairer(api: Api, options: DeferredRepairerOptions): StreamRepairer {
  return new DeferredRepairer(OPENS[api], options);
}

class DeferredRepairer implements StreamRepairer {
  readonly #opens: (event: Fields) => boolean;
  readonly #options: DeferredRepairerOptions;
  #left: StreamFrame[] = [];
  #isMade = false;
  #mender: StreamRepairer | undefined;

  constructor(opens: (event: Fields) => boolean, options: DeferredRepairerOptions) {
    this.#opens = opens;
    this.#options = options;
  }

  push(frame: StreamFrame): readonly Uint8Array[] {
    if (!this.#isMade) {
      if (!this.#options.isReady() && this.#mayLeave(frame)) {
        this.#left.push(frame);
        return [frame.raw];
      }
      this.#make();
    }
    return this.#mender === undefined ? [frame.raw] : this.#mender.push(frame);
  }

  end(): readonly Uint8Array[] {
    return this.#mender?.end() ?? [];
  }

  get isBuffering(): boolean {
    return this.#mender?.isBuffering === true;
  }

  keepAlive(): Uint8Array | undefined {
    return this.#mender?.keepAlive();
  }

  get calls(): readonly RepairedCall[] {
    return this.#mender?.calls ?? [];
  }

  get leaks(): readonly LeakReport[] {
    return this.#mender?.leaks ?? [];
  }

  #mayLeave(frame: StreamFrame): boolean {
    if (frame.data === undefined) return true;
    const event = jsonOf(frame);
    return isObject(event) && this.#opens(event);
  }

  #make(): void {
    this.#isMade = true;
    try {
      this.#mender = this.#options.make();
      for (const frame of this.#left) this.#mender?.push(frame);
    } catch (error) {
      // A defect of ours must not cost the client its answer.
      this.#mender = undefined;
      this.#options.onFailure?.(error);
    }
    this.#left = [];
  }
}

const RESPONSE_OPENS = new Set<unknown>(["response.created", "response.queued", "response.in_progress"]);

/** Events that leave as they came whatever may be mended, as long as nothing else came before. */
const OPENS: Readonly<Record<Api, (event: Fields) => boolean>> = {
  anthropic: ({ type }) => type === "message_start" || type === "ping",
  chat: ({ error, choices }) => (error ?? null) === null && objects(choices).every(saysNothing),
  responses: ({ type }) => RESPONSE_OPENS.has(type),
};

/** Neither text nor a call, and not the end: the chunk that tells the role. */
function saysNothing({ delta, finish_reason }: Fields): boolean {
  if (typeof finish_reason === "string") return false;
  const { content, tool_calls, function_call } = isObject(delta) ? delta : {};
  return (content ?? "") === "" && objects(tool_calls).length === 0 && !isObject(function_call);
}
