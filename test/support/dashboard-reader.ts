import type { Locator, Page } from "playwright-core";

/** Timeout for content that is fetched and then rendered. */
export const SOON = { timeout: 30_000, interval: 50 };

export function rowOf(page: Page, table: string, name: string): Locator {
  return page.getByRole("table", { name: table, exact: true }).locator("tbody tr").filter({ hasText: name });
}

/** The visible text of each row, cell by cell. */
export async function rows(page: Page, table: string): Promise<readonly (readonly string[])[]> {
  const script = `[...document.querySelectorAll('table[aria-label="${table}"] tbody tr:not(.no-rows, .space)')].map((row) =>
    [...row.cells].map((cell) => cell.innerText.replaceAll(/\\s+/g, " ").trim()))`;
  return (await page.evaluate(script)) as string[][];
}

export async function names(page: Page, table: string): Promise<readonly string[]> {
  return (await rows(page, table)).map(([name = ""]) => withoutGlyph(name));
}

/** The cells after the name. */
export async function numbersByName(page: Page, table: string): Promise<Readonly<Record<string, readonly string[]>>> {
  return Object.fromEntries((await rows(page, table)).map(([name = "", ...cells]) => [withoutGlyph(name), cells]));
}

function withoutGlyph(name: string): string {
  return name.replace(/^[✓!✕?] ?/, "");
}

export async function cards(page: Page): Promise<Readonly<Record<string, string>>> {
  const script = `[...document.querySelectorAll(".card")].map((card) =>
    [card.querySelector("dt").innerText, card.querySelector("dd").firstChild.textContent])`;
  return Object.fromEntries((await page.evaluate(script)) as [string, string][]);
}

export function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
}
