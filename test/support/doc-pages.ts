import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/cli/version.ts";

/** Pages for users: the README, docs without decisions, and the pages of examples, as paths in the repository. */
export function docPages(): readonly string[] {
  const named = (folder: string): readonly string[] =>
    readdirSync(join(packageRoot, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`);
  return ["README.md", ...named("docs"), ...named("deploy"), "examples/trip-chat/README.md"];
}

export function readPage(page: string): string {
  return readFileSync(join(packageRoot, page), "utf8");
}

interface FencedBlock {
  /** `sh`, `ts` …; empty without a language. */
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** The fenced blocks of a page. */
export function fencedBlocks(page: string): readonly FencedBlock[] {
  const text = readPage(page);
  return [...text.matchAll(/^( *)(```+)(\w*)[^\n]*\n([\s\S]*?)^\1\2$/gm)].map((match) => ({
    language: match[3] ?? "",
    text: (match[4] ?? "").replace(new RegExp(`^${match[1] ?? ""}`, "gm"), ""),
    line: text.slice(0, match.index).split("\n").length,
  }));
}
