/** The text of a value that starts here, unescaped enough to be read by a person. */
export function valueWords(text: string, at: number, limit: number): string {
  const raw = text.slice(at, Math.min(limit, at + 600));
  const quote = raw[0];
  if (quote === '"' || quote === "'") {
    let stop = 1;
    while (stop < raw.length && raw[stop] !== quote) {
      stop += raw[stop] === "\\" ? 2 : 1;
    }
    return raw.slice(1, stop).replaceAll("\\n", "\n").replaceAll('\\"', '"').slice(0, 500);
  }
  const message = /["'](?:message|msg|detail|description|reason|info)["']\s*:\s*["']([^"\n]{1,300}?)["'][,}\s]/i.exec(
    raw,
  );
  return message?.[1] ?? raw.slice(0, 300);
}

/** The message that stands beside a status. */
export function siblingMessage(text: string, limit: number): string | undefined {
  const match =
    /["'](?:error|message|msg|err_?msg|error[_ ]?message|mensaje|meldung|nachricht|messaggio|mensagem|detail|details|reason|description|info|stderr)["']\s*:\s*["'](?=[^"'\s])/i.exec(
      text.slice(0, limit),
    );
  return match === null ? undefined : valueWords(text, match.index + match[0].length - 1, limit);
}
