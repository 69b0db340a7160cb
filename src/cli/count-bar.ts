import { timeText } from "./progress-bar.ts";

const EVERY_MS = 100;
const BAR = 24;

/** As {@link ProgressBar}, for things that are counted, not weighed. */
export class CountBar {
  readonly #write: ((text: string) => void) | undefined;
  readonly #width: number;
  readonly #now: () => number;
  readonly #start: number;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(write: ((text: string) => void) | undefined, width: number, now: () => number) {
    this.#write = write;
    this.#width = width > 20 ? width : 80;
    this.#now = now;
    this.#start = now();
  }

  show(done: number, total: number, what: string): void {
    const now = this.#now();
    if (this.#write === undefined || now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    this.#write(`\r\u001b[K${countLine(done, total, what, now - this.#start).slice(0, this.#width - 1)}`);
  }

  clear(): void {
    if (this.#shownAt > 0) this.#write?.("\r\u001b[K");
  }
}

/** `━━━━────  41 %  1230 of 3010 sent  2 s left` */
export function countLine(done: number, total: number, what: string, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * BAR);
  const left = done > 0 ? Math.ceil(((total - done) * elapsedMs) / done / 1000) : undefined;
  return [
    `${"━".repeat(filled)}${"─".repeat(BAR - filled)}`,
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    `${done} of ${total} ${what}`,
    ...(elapsedMs >= 500 && left !== undefined ? [`${timeText(left)} left`] : []),
  ].join("  ");
}
