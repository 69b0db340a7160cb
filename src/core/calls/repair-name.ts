/** Longer names are not compared: no API accepts them. */
const MAX_NAME_CHARS = 256;

/**
 * Returns the declared tool that a misspelled name means: in another case or with other separators, with an added or
 * missing prefix, with a special token, or repeated several times. Returns undefined if the name is declared, or if not
 * exactly one tool matches. Synonyms and typing errors are not repaired: the client's error lists the tools.
 */
export function repairName(written: string, declared: readonly string[]): string | undefined {
  if (written.length > MAX_NAME_CHARS || declared.includes(written)) return undefined;
  const spellings = new Set(spellingsOf(written).map(foldName));
  const found = declared.filter((name) => [...spellings].some((spelling) => isMeant(spelling, name)));
  const [only, other] = found;
  return other === undefined ? only : undefined;
}

function isMeant(spelling: string, name: string): boolean {
  if (spelling === "") return false;
  const own = foldName(name);
  if (spelling === own || isRepetition(spelling, own)) return true;
  // The prefix of a server that the model left out: mcp__files__read for read.
  const short = /^mcp__.+?__(.+)$/.exec(name)?.[1];
  return short !== undefined && foldName(short) === spelling;
}

function isRepetition(spelling: string, own: string): boolean {
  const times = spelling.length / own.length;
  return own !== "" && Number.isInteger(times) && times > 1 && times <= 8 && own.repeat(times) === spelling;
}

/** The name without special tokens, and without prefixes that models add. */
function spellingsOf(written: string): readonly string[] {
  const plain = written.replace(/<[|｜][^|｜<>]{0,60}[|｜]>[\s\S]*$/, "").trim();
  const unprefixed = plain.replace(/^(?:functions?|tools?|default_api|default_functions)[.:/]/i, "");
  const undoubled = unprefixed.replace(/^(mcp__.{1,64}?__)\1/, "$1");
  return [plain, unprefixed, undoubled];
}

/** Case and separators do not distinguish tools, unless two declared names differ in nothing else. */
function foldName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, "");
}
