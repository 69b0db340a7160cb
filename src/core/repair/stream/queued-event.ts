import type { CallReport } from "../calls/types.ts";
import type { RepairTurn } from "../repair-turn.ts";
import type { StreamFrame } from "../types.ts";

/** An event that was read: when it can be emitted, and with which bytes. */
export interface QueuedEvent {
  readonly frame: StreamFrame;
  /** Whether it is only a piece of a native call, which leak repair need not read. */
  readonly isCallPiece?: boolean;
  isReady(): boolean;
  /** Called once, when the event is emitted. */
  render(): readonly Uint8Array[];
}

/** An event that is emitted unchanged. A class, because most events are like this and closures cost more. */
export class UnchangedEvent implements QueuedEvent {
  readonly frame: StreamFrame;
  readonly isCallPiece: boolean;

  constructor(frame: StreamFrame, isCallPiece = false) {
    this.frame = frame;
    this.isCallPiece = isCallPiece;
  }

  isReady(): boolean {
    return true;
  }

  render(): readonly Uint8Array[] {
    return [this.frame.raw];
  }
}

/** Interprets the stream of one API. */
export interface StreamReader {
  readonly turns: Iterable<RepairTurn>;
  read(frame: StreamFrame): QueuedEvent;
  keepAlive(): Uint8Array | undefined;
  /** Decides everything undecided: the stream ended, or too much is buffered. */
  release?(): void;
  readonly callReports?: readonly CallReport[];
}
