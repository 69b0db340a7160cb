/** One server-sent event. Data is always JSON, and JSON has no line breaks: nothing in it can end a line. */
export function frame(data: string, event?: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** A comment: keeps proxies from closing a connection on which nothing happens. */
export const HEARTBEAT = ": still here\n\n";
