/** Progress of a long operation. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The counted unit, such as `sent`; without it, `done` and `total` are bytes. */
  readonly counted?: string;
  /** Text after the bar: `12/80 files`. */
  readonly label: string;
}

const EVERY_MS = 100;
const BAR = 24;

/** A progress line that is redrawn in place on a terminal; silent without one. */
export class ProgressBar {
  readonly #write: ((text: string) => void) | undefined;
  readonly #width: number;
  readonly #now: () => number;
  readonly #start: number;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(write: ((text: string) => void) | undefined, width: number, now: () => number) {
    this.#write = write;
    // Some terminals report a width of 0.
    this.#width = width > 20 ? width : 80;
    this.#now = now;
    this.#start = now();
  }

  show(progress: Progress): void {
    const now = this.#now();
    if (this.#write === undefined || now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    this.#write(`\r\u001b[K${progressLine(progress, now - this.#start).slice(0, this.#width - 1)}`);
  }

  clear(): void {
    if (this.#shownAt > 0) this.#write?.("\r\u001b[K");
  }
}

/** `━━━━────  41 %  12.3 of 30.1 MB  8.2 MB/s  2 s left  12/80 files` */
export function progressLine({ done, total, counted, label }: Progress, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * BAR);
  const perSecond = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const left = perSecond > 0 ? Math.ceil((total - Math.min(done, total)) / perSecond) : undefined;
  return [
    `${"━".repeat(filled)}${"─".repeat(BAR - filled)}`,
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    counted === undefined ? `${megabytes(done)} of ${megabytes(total)} MB` : `${done} of ${total} ${counted}`,
    ...(elapsedMs >= 500 && left !== undefined
      ? [...(counted === undefined ? [`${megabytes(perSecond)} MB/s`] : []), `${timeText(left)} left`]
      : []),
    ...(label === "" ? [] : [label]),
  ].join("  ");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

export function timeText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
