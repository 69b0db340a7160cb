import { destination, type Logger, pino } from "pino";

export type { Logger };

/** JSON lines on stderr; stdout belongs to the commands. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null }, destination(2));
}
