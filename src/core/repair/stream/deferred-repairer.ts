import { field, isCallPart, partsOf, visibleText } from "../../wire/gemini/fields.ts";
import { type Fields, isObject, objects } from "../../wire/json.ts";
import type { CallReport } from "../calls/types.ts";
import type { Api, LeakReport, RepairedCall, StreamFrame, StreamRepairer } from "../types.ts";
import { jsonOf } from "./sse-frame.ts";

export interface DeferredRepairerOptions {
  /** Whether it is known yet what may be repaired. */
  readonly isReady: () => boolean;
  /**
   * Called once, when that is known or an event needs it. Returns undefined if nothing may be repaired; then all events
   * pass through.
   */
  readonly make: () => StreamRepairer | undefined;
  /** Reports exceptions; all events then pass through unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Creates a repairer that can start before the request is parsed. The opening events of a stream contain nothing to
 * repair: they are emitted immediately, and replayed to the repairer once it exists.
 */
export function createDeferredRepairer(api: Api, options: DeferredRepairerOptions): StreamRepairer {
  return new DeferredRepairer(IS_OPENING[api], options);
}

class DeferredRepairer implements StreamRepairer {
  readonly #isOpening: (event: Fields) => boolean;
  readonly #options: DeferredRepairerOptions;
  #emitted: StreamFrame[] = [];
  #isCreated = false;
  #repairer: StreamRepairer | undefined;

  constructor(isOpening: (event: Fields) => boolean, options: DeferredRepairerOptions) {
    this.#isOpening = isOpening;
    this.#options = options;
  }

  push(frame: StreamFrame): readonly Uint8Array[] {
    if (!this.#isCreated) {
      if (!this.#options.isReady() && this.#canEmit(frame)) {
        this.#emitted.push(frame);
        return [frame.raw];
      }
      this.#create();
    }
    return this.#repairer === undefined ? [frame.raw] : this.#repairer.push(frame);
  }

  end(): readonly Uint8Array[] {
    return this.#repairer?.end() ?? [];
  }

  get isBuffering(): boolean {
    return this.#repairer?.isBuffering === true;
  }

  keepAlive(): Uint8Array | undefined {
    return this.#repairer?.keepAlive();
  }

  get calls(): readonly RepairedCall[] {
    return this.#repairer?.calls ?? [];
  }

  get leaks(): readonly LeakReport[] {
    return this.#repairer?.leaks ?? [];
  }

  get callReports(): readonly CallReport[] {
    return this.#repairer?.callReports ?? [];
  }

  #canEmit(frame: StreamFrame): boolean {
    if (frame.data === undefined) return true;
    const event = jsonOf(frame);
    return isObject(event) && this.#isOpening(event);
  }

  #create(): void {
    this.#isCreated = true;
    try {
      this.#repairer = this.#options.make();
      for (const frame of this.#emitted) this.#repairer?.push(frame);
    } catch (error) {
      // A defect in repair must not break the response.
      this.#repairer = undefined;
      this.#options.onFailure?.(error);
    }
    this.#emitted = [];
  }
}

const RESPONSE_OPENINGS = new Set<unknown>(["response.created", "response.queued", "response.in_progress"]);

/** Events that are emitted unchanged regardless of repair, as long as only such events precede them. */
const IS_OPENING: Readonly<Record<Api, (event: Fields) => boolean>> = {
  anthropic: ({ type }) => type === "message_start" || type === "ping",
  chat: ({ error, choices }) => (error ?? null) === null && objects(choices).every(isEmptyChoice),
  responses: ({ type }) => RESPONSE_OPENINGS.has(type),
  gemini: ({ error, candidates }) => (error ?? null) === null && objects(candidates).every(isEmptyCandidate),
  ollama: ({ error, message, done }) => {
    const { content, tool_calls } = isObject(message) ? message : {};
    return (error ?? null) === null && done !== true && (content ?? "") === "" && objects(tool_calls).length === 0;
  },
};

/** True for a chunk that has only thoughts. */
function isEmptyCandidate(candidate: Fields): boolean {
  if (field(candidate, "finishReason") !== undefined) return false;
  return partsOf(candidate.content).every((part) => (visibleText(part) ?? "") === "" && !isCallPart(part));
}

/** True for a chunk that has neither text nor a call and is not the end, such as the one with the role. */
function isEmptyChoice({ delta, finish_reason }: Fields): boolean {
  if (typeof finish_reason === "string") return false;
  const { content, tool_calls, function_call } = isObject(delta) ? delta : {};
  return (content ?? "") === "" && objects(tool_calls).length === 0 && !isObject(function_call);
}
