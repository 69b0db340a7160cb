import type { ExchangeEnd } from "../../core/model/observation.ts";
import type { Frame } from "../../core/wire/event-framer.ts";
import type { ResponseHead, Tap } from "../forward.ts";

/** Contains exceptions of a tap. Reports only the first, and keeps calling the tap because it needs the end event. */
export class ContainedTap implements Tap {
  readonly #onFailure: (error: unknown) => void;
  readonly #tap: Tap;
  #reported = false;

  constructor(tap: Tap, onFailure: (error: unknown) => void) {
    this.#tap = tap;
    this.#onFailure = onFailure;
  }

  requestChunk(chunk: Buffer): void {
    this.#contained((tap) => tap.requestChunk(chunk));
  }

  requestEnd(): void {
    this.#contained((tap) => tap.requestEnd());
  }

  responseHead(head: ResponseHead): void {
    this.#contained((tap) => tap.responseHead(head));
  }

  responseChunk(chunk: Buffer): void {
    this.#contained((tap) => tap.responseChunk(chunk));
  }

  responseEvents(events: readonly Frame[]): void {
    this.#contained((tap) => tap.responseEvents(events));
  }

  responseJson(json: unknown): void {
    this.#contained((tap) => tap.responseJson(json));
  }

  end(ended: ExchangeEnd): void {
    this.#contained((tap) => tap.end(ended));
  }

  #contained(work: (tap: Tap) => void): void {
    try {
      work(this.#tap);
    } catch (error) {
      if (!this.#reported) this.#onFailure(error);
      this.#reported = true;
    }
  }
}
