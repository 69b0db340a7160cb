import type { Source } from "./plain-view.ts";
import { classifyName } from "./secret-names.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import { isMark, type Report } from "./span.ts";

/** Finds secrets in files whose lines say by their place what is one: `.pgpass`, `.netrc`, `.htdigest`, tables. */
export function findFileSecrets(source: Source, report: Report): void {
  const { text, view, lower } = source;
  const once: Report = (start, end) => {
    if (end > start && !isMark(text, start)) report(start, end);
  };
  findPgpass(view, once);
  findHtdigest(view, once);
  if (lower.includes("login")) findNetrc(view, once);
  findColumns(source, once);
  if (lower.includes("insert into")) findInserted(view, once);
  if (lower.includes("phrase") || lower.includes("mnemonic") || lower.includes("seed")) findSeedPhrases(view, once);
}

/** Words of headings over secrets. */
const HEADINGS = ["passw", "secret", "pwd", "api_key", "api key", "apikey", "access_token"];
const PORT_FIELD = /:(?:\d{2,5}|\*):/g;
const HOST_BEFORE = /(?:^|[\s"'`])([A-Za-z0-9*][\w.*-]{0,100})$/;
const FIELDS_AFTER = /([A-Za-z*_][\w.*-]{0,63}):([A-Za-z*_][\w.*@-]{0,63}):([^\s"'`:]{4,200})(?=$|[\s"'`])/y;

/** `host:port:database:user:PASSWORD` */
function findPgpass(view: string, report: Report): void {
  for (const match of view.matchAll(PORT_FIELD)) {
    if (!HOST_BEFORE.test(view.slice(Math.max(0, match.index - 102), match.index))) continue;
    FIELDS_AFTER.lastIndex = match.index + match[0].length;
    const password = FIELDS_AFTER.exec(view)?.[3];
    if (password !== undefined) report(FIELDS_AFTER.lastIndex - password.length, FIELDS_AFTER.lastIndex);
  }
}

const DIGEST_FIELD = /:[0-9a-f]{32}(?![0-9a-f])/g;

/** `user:realm:MD5` */
function findHtdigest(view: string, report: Report): void {
  for (const match of view.matchAll(DIGEST_FIELD)) {
    const before = view.slice(Math.max(0, match.index - 100), match.index);
    if (/(?:^|[\n"'`]|[ \t]{2,})[ \t]{0,20}[A-Za-z][\w.-]{0,40}:[A-Za-z][\w .-]{0,40}$/.test(before))
      report(match.index + 1, match.index + match[0].length);
  }
}

const NETRC = /\blogin\s{1,16}\S{1,100}\s{1,32}password\s{1,16}([^\s"'`]{1,200})/g;

function findNetrc(view: string, report: Report): void {
  for (const match of view.matchAll(NETRC)) {
    const end = match.index + match[0].length;
    report(end - (match[1]?.length ?? 0), end);
  }
}

const MAX_LINE_CHARS = 1000;

/** The column under a heading that names a secret: of a CSV file, or of a table drawn with bars. */
function findColumns({ view, lower }: Source, report: Report): void {
  for (const word of HEADINGS) {
    let read = 0;
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, Math.max(at + word.length, read))) {
      const lineStart =
        view.slice(Math.max(0, at - MAX_LINE_CHARS), at).lastIndexOf("\n") + 1 + Math.max(0, at - MAX_LINE_CHARS);
      const end = endOfLine(view, at);
      const table = headingOf(view, lineStart, end);
      if (table !== undefined) read = readRows(view, end, table, report);
    }
  }
}

interface Table {
  readonly sign: string;
  readonly cells: number;
  readonly column: number;
}

/** Reads the lines with as many cells as the heading. Returns where they end. */
function readRows(view: string, headingEnd: number, table: Table, report: Report): number {
  let start = headingEnd + 1;
  while (start < view.length) {
    const end = endOfLine(view, start);
    if (end > start) {
      const cells = end - start > MAX_LINE_CHARS ? [] : cellsOf(view, start, end, table.sign);
      if (cells.length !== table.cells) break;
      readCell(view, cells[table.column], report);
    }
    start = end + 1;
  }
  return start;
}

/** The end of the line, or a place beyond {@link MAX_LINE_CHARS} where it is longer: then it is no row of a table. */
function endOfLine(view: string, from: number): number {
  const end = view.slice(from, from + MAX_LINE_CHARS + 1).indexOf("\n");
  return end === -1 ? Math.min(view.length, from + MAX_LINE_CHARS + 1) : from + end;
}

type Cell = readonly [start: number, end: number];

function headingOf(view: string, lineStart: number, end: number): Table | undefined {
  if (end - lineStart > MAX_LINE_CHARS) return undefined;
  // Inside JSON the first line begins behind a quote.
  const opened = /^.*[:=] {0,2}["']{1,8}/.exec(view.slice(lineStart, end))?.[0].length ?? 0;
  const start = lineStart + opened;
  const line = view.slice(start, end);
  const sign = [",", "|", "\t", ";"].find((one) => line.includes(one));
  if (sign === undefined) return undefined;
  const cells = cellsOf(view, start, end, sign);
  const isHeading = cells.every(
    ([from, to]) => /^["'\s{]*[A-Za-z_][\w .-]{0,40}["'\s]*$/.test(view.slice(from, to)) || from === to,
  );
  if (cells.length < 2 || !isHeading) return undefined;
  const column = cells.findIndex(([from, to]) => {
    return classifyName(view.slice(from, to).replace(/["']/g, "").trim()) === "strong";
  });
  return column === -1 ? undefined : { sign, cells: cells.length, column };
}

function cellsOf(view: string, start: number, end: number, sign: string): readonly Cell[] {
  const cells: Cell[] = [];
  let from = start;
  for (let at = start; at <= end && cells.length < 100; at += 1) {
    if (at !== end && view.charAt(at) !== sign) continue;
    let [left, right] = [from, at];
    while (left < right && /[\s"']/.test(view.charAt(left))) left += 1;
    while (right > left && /[\s"']/.test(view.charAt(right - 1))) right -= 1;
    cells.push([left, right]);
    from = at + 1;
  }
  return cells;
}

function readCell(view: string, cell: Cell | undefined, report: Report): void {
  if (cell === undefined) return;
  const [start, end] = cell;
  const written = view.slice(start, end).replace(/["'}\]]+$/, "");
  if (!/\s/.test(written) && !isPlaceholder(written) && looksRandom(written)) report(start, start + written.length);
}

const INSERT = /\binsert into [^(\n]{1,120}\(([^()]{1,500})\)\s{0,40}values\s{0,40}\(/gi;
const SQL_VALUE = /\s{0,8}(?:'((?:[^'\n]|''){0,500})'|[^,()'\n]{0,200})\s{0,8}(?:,|\))/y;

/** `INSERT INTO users (name, password) VALUES ('ann', '…')` */
function findInserted(view: string, report: Report): void {
  for (const match of view.matchAll(INSERT)) {
    const columns = (match[1] ?? "").split(",").map((column) => classifyName(column.replace(/["'`]/g, "").trim()));
    SQL_VALUE.lastIndex = match.index + match[0].length;
    for (const found of columns) {
      const value = SQL_VALUE.exec(view);
      if (value === null) break;
      const written = value[1];
      if (found !== "strong" || written === undefined || isPlaceholder(written)) continue;
      const start = value.index + value[0].indexOf("'") + 1;
      report(start, start + written.length);
    }
  }
}

const SEED =
  /\b(?:seed|mnemonic|recovery|secret|backup)[ _-]?(?:phrase|words?)?\b[^a-z\n]{1,8}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi;

function findSeedPhrases(view: string, report: Report): void {
  for (const match of view.matchAll(SEED)) {
    const end = match.index + match[0].length;
    report(end - (match[1]?.length ?? 0), end);
  }
}
