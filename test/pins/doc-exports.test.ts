import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/cli/version.ts";
import { docPages, fencedBlocks, readPage } from "../support/doc-pages.ts";
import { temporaryFolder } from "../support/running.ts";

const { exports } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
  exports: Readonly<Record<string, { readonly default?: string }>>;
};
/** The entry points of the package and the sources from which they are built. */
const ENTRY_POINTS = Object.entries(exports).flatMap(([name, { default: built }]) =>
  built === undefined
    ? []
    : [
        [
          `toolmend${name.slice(1)}`,
          join(packageRoot, built.replace("./dist", "src").replace(/\.js$/, ".ts")),
        ] as const,
      ],
);

describe("the guides", () => {
  const text = docPages().map(readPage).join("\n");

  it.each(ENTRY_POINTS)("the guides mention every export of %s", async (_name, source) => {
    const names = Object.keys((await import(pathToFileURL(source).href)) as object);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });

  it.each(ENTRY_POINTS)("the guides mention the entry point %s", (name) => {
    expect(text).toMatch(new RegExp(`["\`]${name}["\`]`));
  });
});

it("the snippets of docs/library.md have the values in their comments", async () => {
  const folder = temporaryFolder();
  try {
    const sources = fencedBlocks("docs/library.md")
      .filter(({ language }) => language === "ts")
      .map(({ text }) =>
        ENTRY_POINTS.reduce(
          (source, [name, path]) => source.replaceAll(`"${name}"`, JSON.stringify(pathToFileURL(path).href)),
          text,
        ).replace(/^([^/\n]+); \/\/ (.+)$/gm, "check(() => ($1), $2);"),
      );
    const checks = sources.join("\n").match(/^check\(/gm) ?? [];
    expect(checks.length).toBeGreaterThanOrEqual(15);
    for (const [at, source] of sources.entries()) {
      const file = join(folder, `${at}.ts`);
      const check = `import assert from "node:assert/strict";
        const check = (value: () => unknown, expected: unknown) => assert.deepEqual(value(), expected);\n`;
      writeFileSync(file, check + source);
      await promisify(execFile)(process.execPath, [file], { cwd: folder });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
