import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/cli/version.ts";
import { temporaryFolder } from "../support/running.ts";

const run = promisify(execFile);
const README = readFileSync(join(packageRoot, "README.md"), "utf8");
const BIN = join(packageRoot, "bin", "toolmend.mjs");
const home = temporaryFolder();
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = { PATH, NODE_COMPILE_CACHE, HOME: home, TOOLMEND_DATA: join(home, "data") };
afterAll(() => rmSync(home, { recursive: true, force: true }));

function blocks(language: string): readonly string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text,
  );
}

describe("the README", () => {
  it("the README has at most 200 lines of at most 120 characters", () => {
    const lines = README.split("\n");
    expect(lines.length).toBeLessThanOrEqual(201);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("the README has snippets that print what their comments say", async () => {
    const file = join(home, "snippet.ts");
    const printed: string[] = [];
    for (const snippet of blocks("ts")) {
      const source = snippet
        .replaceAll('"toolmend/recover"', JSON.stringify(join(packageRoot, "src/core/recover/index.ts")))
        .replaceAll('"toolmend"', JSON.stringify(join(packageRoot, "src/index.ts")))
        // An expression with its value behind it is printed, too.
        .replace(/^((?!console|import|const)[^/\n]+); \/\/ /gm, "console.log($1); // ");
      writeFileSync(file, source);
      const { stdout } = await run(process.execPath, [file], { cwd: packageRoot });
      printed.push(...stdout.trim().split("\n"));
    }
    expect(printed).toEqual([
      "Let me look.",
      `{ path: 'a.txt' } [ 'single-quotes', 'dropped-comma' ]`,
      "failed",
      "[EXIT_CODE] Bash exit=1 - error",
    ]);
  });

  describe("with the demo's data", () => {
    beforeAll(() =>
      run(process.execPath, [BIN, "demo", "--once", "--port", "0", "--data", env.TOOLMEND_DATA], { env }),
    );
    const commands = blocks("sh")
      .flatMap((block) => block.trim().split("\n"))
      .flatMap((line) => /^npm run -s toolmend -- (.*)$/.exec(line)?.[1] ?? []);

    it("shows commands that work", async () => {
      expect(commands.length).toBeGreaterThanOrEqual(5);
      for (const command of commands) {
        const { stdout, stderr } = await run(process.execPath, [BIN, ...command.split(" ")], { env });
        expect([command, stderr]).toEqual([command, ""]);
        expect(stdout).toMatch(/\S/);
      }
    });
  });
});

/** The anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = readFileSync(page, "utf8").matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
}

it("every relative link of the documentation leads to a file, and to a heading of it", () => {
  const pages = [
    ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"],
    ...readdirSync(join(packageRoot, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join("docs", name)),
  ];
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(packageRoot, page), "utf8").matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)]
      .filter(([, link = "", anchor]) => {
        const target = link === "" ? join(packageRoot, page) : join(packageRoot, dirname(page), link);
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});
