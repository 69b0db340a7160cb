// Messages of installed programs in English and seven other languages, read from their translation catalogs: what a
// program prints without its name and without a label. The English original decides the label, so that no reader of the
// language is needed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Producer, Row } from "../types.ts";
import { createPicker, hashText, wordsOf } from "../words.ts";

const FOLDER = "/usr/share/locale";
const LANGUAGES = ["de", "es", "fr", "it", "ja", "pt_BR", "ru"];
/** Every catalog contains the English originals; this language has the most. */
const ENGLISH_FROM = "fr";
const FAILURES_PER_LANGUAGE = 300;
const OTHERS_PER_LANGUAGE = 220;

/** Programs of a terminal; others have catalogs of menus, names of countries and properties. */
const DOMAINS = new Set(
  "bash binutils bison coreutils cpio cpplib diffutils dpkg e2fsprogs findutils flex gas gawk gettext-tools git gnupg2 gold grep initdb-15 ld libc make man-db parted patch pg_basebackup-15 pg_ctl-15 pg_dump-15 pgscripts-15 psql-15 procps-ng psmisc recode sed shadow sharutils subversion sudo tar util-linux wget wdiff xz".split(
    " ",
  ),
);

interface Message {
  readonly domain: string;
  readonly english: string;
  readonly translated: string;
}

/** Reads a compiled catalog: two tables of lengths and offsets, little endian. */
function readCatalog(path: string, domain: string): readonly Message[] {
  const bytes = readFileSync(path);
  if (bytes.length < 20 || bytes.readUInt32LE(0) !== 0x950412de) return [];
  const textAt = (table: number, index: number) => {
    const length = bytes.readUInt32LE(table + index * 8);
    const offset = bytes.readUInt32LE(table + index * 8 + 4);
    return bytes.toString("utf8", offset, offset + length);
  };
  const originals = bytes.readUInt32LE(12);
  const translations = bytes.readUInt32LE(16);
  return Array.from({ length: bytes.readUInt32LE(8) }, (_, index) => ({
    domain,
    english: textAt(originals, index).trim(),
    translated: textAt(translations, index).trim(),
  }));
}

const FAILS =
  /^(?:\S+: )?(?:cannot|can't|could not|couldn't|failed to|unable to|error (?:while|in|when|reading|writing|opening)|internal error|invalid|illegal|unknown|unexpected|missing|no such|not enough|permission denied)\b|\b(?:failed|not found|is invalid|is missing|cannot be \w+|could not be \w+|does not exist|not permitted|not allowed)(?:$|:|\.$)/i;

/** Words with which a message may be about a failure without being the report of one. */
const DOUBTFUL =
  /warn|option|--|\?|\bif\b|print|error|fail|invalid|unable|cannot|can't|could not|not |missing|unknown|denied|abort|bad |illegal|no such|usage|debug|ignor|must|should|specif|requir|too |only|expect|already|except|conflict|corrupt|exceed|overflow|refus|reject|lost|broken|timed|dead|kill|signal|unsupport|undefin|obsolete|deprecat|duplicat|redefin|mismatch|differ/i;

/** Line breaks, plural forms and contexts of a catalog. */
const CONTROLS = ["\n", "\0", String.fromCharCode(4)];

const isUsable = ({ english, translated }: Message) =>
  english !== translated &&
  english.length >= 15 &&
  english.length <= 140 &&
  !CONTROLS.some((sign) => (english + translated).includes(sign));
const isFailure = ({ english }: Message) => FAILS.test(english) && !/warn|--|\?|\bif\b|option|print/i.test(english);
/** Progress, results and descriptions; many other messages are complaints without a word of one. */
const isOther = ({ english }: Message) => CHATTER.test(english) && !DOUBTFUL.test(english);
const CHATTER =
  /^(?:\w+ing|\w+ed|done|found|total|using|new|set|show|list|create|display|write|read|copy|use|select|run|the following|number of|name of|current|default|size|all)\b/i;

/** Replaces the places of a format by words. */
function render(text: string, words: Readonly<Record<string, string>>): string {
  const values: Readonly<Record<string, string | undefined>> = { s: words.file, q: words.file, c: "x", S: words.file };
  return text
    .replace(
      /%(?:\d+\$)?[-+ #0]*\d*(?:\.\d+|\.\*)?(?:hh|h|ll|l|z|j)?([a-zA-Z])/g,
      (_, kind: string) => values[kind] ?? "3",
    )
    .replaceAll("%%", "%");
}

function rowOf(message: Message, isError: boolean, language: string, seed: number, before: readonly Message[]): Row {
  const words = wordsOf(seed);
  const pick = createPicker(seed);
  const program = message.domain.replace(/\.mo$/, "");
  const line = render(message.translated, words);
  const above = before.map((one) => render(one.translated, words));
  const content = pick(["bare", "bare", "below", "named"]);
  return {
    id: `catalogs/${language}/${program}/${seed}`,
    family: "catalogs",
    program,
    breakage: isError ? "message" : "chatter",
    language,
    tool_name: pick(["bash", "Bash", "run_shell_command", "execute_command"]),
    arguments: { command: `${program} ${words.file}` },
    content: content === "bare" ? line : content === "below" ? [...above, line].join("\n") : `${program}: ${line}`,
    status_shown: "hidden",
    status_style: "none",
    exit_code: null,
    label: isError ? "error" : "ok",
    category: null,
    also: [],
    fact: "",
    soft: false,
    convention: null,
    seed,
  };
}

function produceLanguage(language: string): readonly Row[] {
  const folder = join(FOLDER, language === "en" ? ENGLISH_FROM : language, "LC_MESSAGES");
  if (!existsSync(folder)) return [];
  const messages = readdirSync(folder)
    .filter((name) => name.endsWith(".mo") && DOMAINS.has(name.slice(0, -3)))
    .sort()
    .flatMap((name) => readCatalog(join(folder, name), name))
    .filter(isUsable)
    .map((one) => (language === "en" ? { ...one, translated: one.english } : one));
  const pick = createPicker(hashText(language));
  const failures = messages.filter(isFailure);
  const others = messages.filter(isOther);
  if (failures.length === 0 || others.length === 0) return [];
  const make = (from: readonly Message[], count: number, isError: boolean, base: number) =>
    Array.from({ length: count }, (_, index) =>
      rowOf(pick(from), isError, language, base + index, [pick(others), pick(others)]),
    );
  return [
    ...make(failures, FAILURES_PER_LANGUAGE, true, hashText(language) % 100_000),
    ...make(others, OTHERS_PER_LANGUAGE, false, (hashText(language) % 100_000) + 1000),
  ];
}

export const CATALOGS: Producer = {
  name: "catalogs",
  version: "4",
  produce: async () => ["en", ...LANGUAGES].flatMap(produceLanguage),
};
