/** One server-sent event. Data is always JSON, which contains no line breaks. */
export function frame(data: string, event?: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** A comment that keeps proxies from closing an idle connection. */
export const HEARTBEAT = ": still here\n\n";
