const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Decodes the entities of HTML and XML that models write, once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,5});/g, (whole, name: string) => {
    if (name[0] !== "#") return NAMED[name] ?? whole;
    const code = name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

// The lookbehind keeps it linear: a name is tried only where one starts.
const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** The attributes of a tag, entities decoded. */
export function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (text.trim() === "") return found;
  for (const match of text.replaceAll("Ġ", " ").matchAll(ATTRIBUTE)) {
    found.set((match[1] as string).toLowerCase(), decodeEntities(match[2] ?? match[3] ?? match[4] ?? ""));
  }
  return found;
}
