import type { Reporter, TestCase, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    cell?: { readonly client: string; readonly version: string; readonly column: string; readonly value: string };
  }
}

/** Prints what was measured as the table of docs/clients.md. */
export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = new Map<string, Map<string, string>>();
    const columns = new Set<string>();
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const { cell } = test.meta();
      if (cell === undefined) continue;
      const row = rows.get(cell.client) ?? new Map([["version", cell.version]]);
      row.set(cell.column, `${cell.value}${test.result().state === "passed" ? "" : " (failed)"}`);
      rows.set(cell.client, row);
      columns.add(cell.column);
    }
    const names = ["version", ...columns];
    console.log(`\n| client | ${names.join(" | ")} |\n|---|${names.map(() => "---|").join("")}`);
    for (const [client, row] of rows)
      console.log(`| ${client} | ${names.map((name) => row.get(name) ?? "–").join(" | ")} |`);
    this.#listUntold(modules);
  }

  /** Tests that ended before they measured anything. */
  #listUntold(modules: readonly TestModule[]): void {
    const failed = modules
      .flatMap((module): readonly TestCase[] => [...module.children.allTests("failed")])
      .filter((test) => test.meta().cell === undefined);
    for (const test of failed) console.log(`not measured: ${test.fullName}`);
  }
}
