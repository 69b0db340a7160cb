import type { SchemaNode } from "../schema/compile.ts";
import { ArgumentsStream } from "./arguments-stream.ts";
import type { CheckedArguments } from "./repair-arguments.ts";
import type { FaultFilter } from "./repair-value.ts";

/** A piece of a call's arguments, as one event of a stream carries it. */
export interface ArgumentsPiece {
  /** Whether the text of the event is decided. Until then the event waits. */
  readonly isDecided: boolean;
  /** The text that the event must contain; the piece itself if nothing changed. */
  readonly text: string;
}

interface OpenPiece {
  isDecided: boolean;
  text: string;
  readonly end: number;
}

/**
 * The arguments of one call in a stream. Pieces that fit keep their text, so that their events keep their bytes; a
 * repaired value moves to the first event that is still waiting.
 */
export class StreamedCall {
  readonly #arguments: ArgumentsStream;
  #waiting: OpenPiece[] = [];
  #size = 0;
  /** Decided text that no event carries yet. */
  #unsent = "";
  #checked: CheckedArguments | undefined;

  constructor(schema: SchemaNode, tool: string, isEnabled?: FaultFilter) {
    this.#arguments = new ArgumentsStream(schema, tool, isEnabled);
  }

  /** The arguments so far, as they arrived. */
  get written(): string {
    return this.#arguments.written;
  }

  push(text: string): ArgumentsPiece {
    this.#size += text.length;
    const isNext = this.#waiting.length === 0 && this.#unsent === "";
    const sent = this.#arguments.push(text);
    // Most pieces fit, so nothing waits.
    if (isNext && sent === text) return { isDecided: true, text };
    const piece: OpenPiece = { isDecided: false, text, end: this.#size };
    this.#waiting.push(piece);
    this.#unsent += sent;
    this.#settle(this.#arguments.decided);
    return piece;
  }

  /**
   * Ends the arguments, once. Returns text that no waiting event can carry: the stream needs another event for it.
   * Arguments that were cut off are not repaired.
   */
  end(isCutOff = false): string {
    if (this.#checked !== undefined) return "";
    const { rest, checked } = isCutOff ? this.#arguments.abandon() : this.#arguments.end();
    this.#checked = checked;
    this.#unsent += rest;
    this.#settle(this.#size);
    const left = this.#unsent;
    this.#unsent = "";
    return left;
  }

  /** The result of the check; undefined before the end. */
  get checked(): CheckedArguments | undefined {
    return this.#checked;
  }

  #settle(decided: number): void {
    let count = 0;
    while (count < this.#waiting.length && (this.#waiting[count]?.end ?? 0) <= decided) count += 1;
    if (count === 0) return;
    const pieces = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const [index, piece] of pieces.entries()) {
      piece.isDecided = true;
      if (this.#unsent.startsWith(piece.text)) this.#unsent = this.#unsent.slice(piece.text.length);
      else {
        // Something changed: this event contains all decided text, and the later ones none.
        piece.text = this.#unsent;
        this.#unsent = "";
        for (const later of pieces.slice(index + 1)) Object.assign(later, { isDecided: true, text: "" });
        return;
      }
    }
  }
}
