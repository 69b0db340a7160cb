/** Does a name fit a pattern in which `*` stands for anything? Linear: each star takes the first place that fits. */
export function fitsGlob(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] as string;
  if (parts.length === 1) return name === pattern;
  const last = parts.at(-1) as string;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** What the settings allow: everything without a list of allowed ones, and never what is denied. */
export function allowedBy(allow: readonly string[], deny: readonly string[]): (name: string) => boolean {
  return (name) =>
    (allow.length === 0 || allow.some((pattern) => fitsGlob(name, pattern))) &&
    !deny.some((pattern) => fitsGlob(name, pattern));
}
