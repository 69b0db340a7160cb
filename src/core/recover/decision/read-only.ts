const READS: ReadonlySet<string> = new Set(
  "read get list search find view show query lookup look check count describe grep glob ls cat head tail status info inspect explain diff stat peek preview browse recall retrieve".split(
    " ",
  ),
);
const ACTS: ReadonlySet<string> = new Set(
  "write create delete remove send post put patch update edit insert set add run exec execute shell bash command move rename copy drop deploy publish push merge commit install kill stop start restart reset apply pay buy book order cancel approve fetch upload download navigate click type press fill submit eval python terminal save replace append".split(
    " ",
  ),
);

/** Whether a tool only reads, as far as its name tells. A name that says neither acts. */
export function onlyReads(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => READS.has(word)) && !words.some((word) => ACTS.has(word));
}
