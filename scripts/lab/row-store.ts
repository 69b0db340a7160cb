// Rows on disk: one file per case, reused until the case changes, and rows.jsonl with all of them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./types.ts";
import { hashText } from "./words.ts";

export class RowStore {
  readonly #folder: string;
  readonly #rows = new Map<string, readonly Row[]>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, "cases"), { recursive: true });
  }

  /** Takes the rows of an earlier run; false if the case is new or was changed since. */
  load(name: string, definition: string): boolean {
    const path = this.#path(name, definition);
    if (!existsSync(path)) return false;
    this.#rows.set(name, JSON.parse(readFileSync(path, "utf8")));
    return true;
  }

  save(name: string, definition: string, rows: readonly Row[]): void {
    this.#rows.set(name, rows);
    if (rows.length > 0) writeFileSync(this.#path(name, definition), JSON.stringify(rows));
  }

  all(): readonly Row[] {
    return [...this.#rows.keys()].sort().flatMap((name) => this.#rows.get(name) as readonly Row[]);
  }

  /** Renames at the end, so that a reader never sees half a file. */
  write(): void {
    const temporary = join(this.#folder, "rows.jsonl.part");
    writeFileSync(
      temporary,
      this.all()
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    );
    renameSync(temporary, join(this.#folder, "rows.jsonl"));
  }

  #path(name: string, definition: string): string {
    const key = `${hashText(name).toString(36)}-${hashText(definition).toString(36)}`;
    return join(this.#folder, "cases", `${key}.json`);
  }
}
