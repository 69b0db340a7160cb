import { Transform } from "node:stream";
import { MAX_REPAIRED_CHARS } from "../repair-message.ts";
import type { CallRepairer } from "./call-repairer.ts";

export interface RepairedInputOptions {
  readonly repairer: CallRepairer;
  /** Receives bytes that were passed on unchanged. */
  readonly onPassed: (bytes: Buffer) => void;
  /** Receives a line as the client sent it, without its end, after the repaired one was passed on. */
  readonly onRepaired: (line: Buffer) => void;
}

const LINE_END = 0x0a;

/**
 * Passes the client's lines on and repairs calls in them. Servers read whole lines, so waiting for the end of a line
 * delays nothing. Longer lines are passed in pieces, unchanged.
 */
export function createRepairedInput(options: RepairedInputOptions): Transform {
  const { repairer, onPassed, onRepaired } = options;
  const start: Buffer[] = [];
  let size = 0;
  let isLong = false;
  const pass = (transform: Transform, bytes: Buffer): void => {
    transform.push(bytes);
    onPassed(bytes);
  };
  const take = (transform: Transform, part: Buffer): void => {
    start.push(part);
    size += part.length;
    if (!isLong && size <= MAX_REPAIRED_CHARS) return;
    isLong = true;
    for (const one of start.splice(0)) pass(transform, one);
  };
  const endLine = (transform: Transform): void => {
    const whole = Buffer.concat(start.splice(0));
    const line = whole.at(-1) === LINE_END ? whole.subarray(0, -1) : whole;
    const repaired = isLong ? undefined : repairOrKeep(repairer, line);
    size = 0;
    isLong = false;
    if (repaired === undefined) {
      if (whole.length > 0) pass(transform, whole);
      return;
    }
    transform.push(Buffer.concat([repaired, whole.subarray(line.length)]));
    onRepaired(line);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
        take(this, chunk.subarray(from, end + 1));
        endLine(this);
        from = end + 1;
      }
      if (from < chunk.length) take(this, chunk.subarray(from));
      done();
    },
    flush(done) {
      endLine(this);
      done();
    },
  });
}

/** A failure of repair must not affect the traffic. */
function repairOrKeep(repairer: CallRepairer, line: Buffer): Buffer | undefined {
  try {
    return repairer.repair(line);
  } catch {
    return undefined;
  }
}
