import { guardRequest, stopText, writeNotes } from "../../core/loop/index.ts";
import type { GuardFact } from "../../core/model/observation.ts";
import { type Api, WIRE } from "../../core/wire/index.ts";
import { isObject, parseJsonBody, text } from "../../core/wire/json.ts";
import { Refusal } from "../body/buffer-request.ts";
import { decodeStrict } from "../body/decode-strict.ts";
import { errorBody } from "../http/api-error.ts";
import type { GuardControl } from "./guard-control.ts";

export interface ExchangeGuardOptions {
  readonly control: GuardControl;
  /** Called once for each state of a conversation. */
  readonly onAction?: (action: GuardFact["action"]) => void;
}

/** Adds notes to one request, or refuses it, if its history is a loop. */
export class ExchangeGuard {
  readonly #api: Api;
  readonly #upstream: string;
  readonly #model: string;
  readonly #options: ExchangeGuardOptions;
  #fact: GuardFact | undefined;

  /** `model`: the one that the path names, if the API does that. */
  constructor(api: Api, upstream: string, options: ExchangeGuardOptions, model = "") {
    this.#model = model;
    this.#api = api;
    this.#upstream = upstream;
    this.#options = options;
  }

  /** What the guard did. Known as soon as the request is complete. */
  get fact(): GuardFact | undefined {
    return this.#fact;
  }

  /**
   * Returns the request with notes, a refusal, or undefined to send it as it is.
   *
   * @param plain the body, not compressed
   */
  check(plain: Buffer): Buffer | Refusal | undefined {
    // Nearly all requests without a tool end here, unparsed.
    if (!plain.includes('"tools"')) return undefined;
    const source = decodeStrict(plain);
    const body = source === undefined ? undefined : parseJsonBody(source);
    if (source === undefined || !isObject(body)) return undefined;
    const mode = this.#options.control.modeFor(this.#upstream, text(body.model) ?? this.#model);
    if (mode !== "note" && mode !== "stop") return undefined;
    const request = WIRE[this.#api].decodeRequest(body);
    if (request === undefined) return undefined;
    const { notes, loop, stop } = guardRequest(this.#api, body, request);
    if (stop && loop !== undefined && mode === "stop") {
      const { state, ...facts } = loop;
      this.#act({ action: "stop", notes: notes.length, is_new: true, ...facts }, `${request.firstUserText}\0${state}`);
      return this.#refusal(stopText(loop));
    }
    const noted = writeNotes(this.#api, source, body, notes);
    if (noted === undefined) return undefined;
    const newestResult = request.calls.reduce((last, { resultAt = 0 }) => Math.max(last, resultAt), 0);
    const isNew = loop !== undefined && notes.at(-1)?.at === newestResult;
    const { state, ...facts } = loop ?? { state: "" };
    const fact = { action: "note", notes: notes.length, is_new: isNew, ...(isNew && facts) } as const;
    this.#act(fact, `${request.firstUserText}\0${state}`);
    return Buffer.from(noted);
  }

  #act(fact: GuardFact, state: string): void {
    this.#fact = fact;
    const { control, onAction } = this.#options;
    if (fact.is_new && control.isNewState(`${this.#upstream}\0${fact.action}\0${state}`)) onAction?.(fact.action);
  }

  #refusal(message: string): Refusal {
    // Of all statuses only 400 is shown by every client that was tried, and ends their turn; see docs/loops.md.
    return new Refusal(400, { "x-should-retry": "false" }, errorBody(this.#api, 400, message));
  }
}
