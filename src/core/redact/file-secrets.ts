import { classifyName } from "./secret-names.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import type { Source } from "./span.ts";
import { isMark, type Report } from "./span.ts";

/** Finds secrets by their position in files: `.pgpass`, `.netrc`, `.htdigest`, tables. */
export function findFileSecrets(source: Source, report: Report): void {
  const { text, view, lower } = source;
  const reportUnlessMark: Report = (start, end) => {
    if (end > start && !isMark(text, start)) report(start, end);
  };
  findPgpass(view, reportUnlessMark);
  findHtdigest(view, reportUnlessMark);
  if (lower.includes("login")) findNetrc(view, reportUnlessMark);
  findColumns(source, reportUnlessMark);
  if (lower.includes("insert into")) findInserted(view, reportUnlessMark);
  if (lower.includes("phrase") || lower.includes("mnemonic") || lower.includes("seed"))
    findSeedPhrases(view, reportUnlessMark);
}

/** Substrings of column headings over secrets. */
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

/** Finds the column under a heading that names a secret, in a CSV file or a table drawn with bars. */
function findColumns({ view, lower }: Source, report: Report): void {
  for (const word of HEADINGS) {
    let readEnd = 0;
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, Math.max(at + word.length, readEnd))) {
      const lineStart =
        view.slice(Math.max(0, at - MAX_LINE_CHARS), at).lastIndexOf("\n") + 1 + Math.max(0, at - MAX_LINE_CHARS);
      const end = endOfLine(view, at);
      const table = headingOf(view, lineStart, end);
      if (table !== undefined) readEnd = readRows(view, end, table, report);
    }
  }
}

interface Table {
  readonly separator: string;
  readonly cells: number;
  readonly column: number;
}

/** Reads the lines that have as many cells as the heading. Returns their end. */
function readRows(view: string, headingEnd: number, table: Table, report: Report): number {
  let start = headingEnd + 1;
  while (start < view.length) {
    const end = endOfLine(view, start);
    if (end > start) {
      const cells = end - start > MAX_LINE_CHARS ? [] : cellsOf(view, start, end, table.separator);
      if (cells.length !== table.cells) break;
      readCell(view, cells[table.column], report);
    }
    start = end + 1;
  }
  return start;
}

/** The end of the line, or a position beyond {@link MAX_LINE_CHARS} if it is longer and therefore not a table row. */
function endOfLine(view: string, from: number): number {
  const end = view.slice(from, from + MAX_LINE_CHARS + 1).indexOf("\n");
  return end === -1 ? Math.min(view.length, from + MAX_LINE_CHARS + 1) : from + end;
}

type Cell = readonly [start: number, end: number];

function headingOf(view: string, lineStart: number, end: number): Table | undefined {
  if (end - lineStart > MAX_LINE_CHARS) return undefined;
  // Inside JSON the first line starts after a quote.
  const opened = /^.*[:=] {0,2}["']{1,8}/.exec(view.slice(lineStart, end))?.[0].length ?? 0;
  const start = lineStart + opened;
  const line = view.slice(start, end);
  const separator = [",", "|", "\t", ";"].find((one) => line.includes(one));
  if (separator === undefined) return undefined;
  const cells = cellsOf(view, start, end, separator);
  const isHeading = cells.every(
    ([from, to]) => /^["'\s{]*[A-Za-z_][\w .-]{0,40}["'\s]*$/.test(view.slice(from, to)) || from === to,
  );
  if (cells.length < 2 || !isHeading) return undefined;
  const column = cells.findIndex(([from, to]) => {
    return classifyName(view.slice(from, to).replace(/["']/g, "").trim()) === "strong";
  });
  return column === -1 ? undefined : { separator, cells: cells.length, column };
}

function cellsOf(view: string, start: number, end: number, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  let from = start;
  for (let at = start; at <= end && cells.length < 100; at += 1) {
    if (at !== end && view.charAt(at) !== separator) continue;
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
