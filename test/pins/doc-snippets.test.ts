import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as agent from "../../src/agent/index.ts";
import { packageRoot } from "../../src/cli/version.ts";
import { docPages, fencedBlocks } from "../support/doc-pages.ts";
import { temporaryFolder } from "../support/running.ts";

// The snippets of all pages must compile exactly as printed.

const PAGES = docPages();

/** Names from the reader's own program that the snippets use. */
const READER_NAMES: Readonly<Record<string, string>> = {
  places: "{ find(location: string, query?: string, options?: { signal: AbortSignal }): Promise<string[]> }",
  database: "{ save(message: Message): Promise<void> }",
  ask: "(...about: unknown[]) => Promise<AsyncIterable<{ text?: string; call?: { index: number; id?: string; name?: string; piece?: string } }>>",
  model: "ModelFunction",
  cheapModel: "ModelFunction",
  registry: "ToolRegistry",
  searchPlaces: "Tool",
  tools: "readonly Tool[]",
  ownTools: "readonly Tool[]",
  messages: "Message[]",
  storedMessages: "Message[]",
  lastUserText: "string",
  response: "{ body: ReadableStream<Uint8Array> }",
  request: "Request",
  render: "(items: readonly ConversationItem[]) => void",
  conversationId: "string",
  anyModel: "Parameters<typeof import('ai').wrapLanguageModel>[0]['model']",
  user: "string",
  client: "import('@modelcontextprotocol/sdk/client/index.js').Client",
  log: "{ warn(about: object): void }",
  myFetch: "typeof fetch",
  apiKey: "string",
};
/** The same names with the types of the AI SDK. */
const AI_SDK_READER_NAMES: Readonly<Record<string, string>> = {
  ...READER_NAMES,
  model: "import('ai').LanguageModel",
  messages: "import('ai').ModelMessage[]",
  tools: "import('ai').ToolSet",
};
/** Imports of other libraries that an earlier snippet or the reader's program provides. */
const OTHERS: Readonly<Record<string, string>> = {
  OpenAI: 'import OpenAI from "openai";',
  Anthropic: 'import Anthropic from "@anthropic-ai/sdk";',
  streamText: 'import { streamText } from "ai";',
  z: 'import { z } from "zod";',
  mendFetch: 'import { mendFetch } from "toolmend/fetch";',
  mendMiddleware: 'import { mendMiddleware } from "toolmend/ai-sdk";',
  GoogleGenAI: 'import { GoogleGenAI } from "@google/genai";',
  createGoogleGenerativeAI: 'import { createGoogleGenerativeAI } from "@ai-sdk/google";',
  Ollama: 'import { Ollama } from "ollama";',
};
const TYPES = ["ConversationItem", "Message", "ModelFunction", "Tool", "ToolContext", "ToolRegistry", "ToolRow"];
const OWN_TYPES = "interface Trip { readonly stops: readonly string[] }\n";

/** Wraps a snippet as a module: names that it uses without importing them are imported or declared. */
function moduleOf(snippet: string): string {
  const imports = snippet.match(/^import [^;]*;$/gm) ?? [];
  const body = snippet.replace(/^import [^;]*;$/gm, "");
  const imported = new Set(imports.join("\n").match(/[A-Za-z]\w*/g) ?? []);
  const declared = new Set([...body.matchAll(/\b(?:const|let|function)\s+(\w+)/g)].map(([, name]) => name));
  const isFree = (name: string): boolean =>
    new RegExp(`(?<!(?<!\\.)\\.|[\\w"'])${name}\\b(?!["'])`).test(body) && !imported.has(name) && !declared.has(name);
  const readerNames = Object.entries(
    /streamText|ToolLoopAgent/.test(snippet) ? AI_SDK_READER_NAMES : READER_NAMES,
  ).filter(([name]) => isFree(name));
  const ownNames = [...Object.keys(agent), ...TYPES].filter((name) => !imported.has(name));
  return [
    ...imports,
    ...Object.entries(OTHERS).flatMap(([name, line]) => (isFree(name) ? [line] : [])),
    `import { ${[...new Set(ownNames)].join(", ")} } from "toolmend/agent";`,
    OWN_TYPES,
    ...readerNames.map(([name, type]) => `declare const ${name}: ${type};`),
    `export async function snippet() {\n${body}\n}`,
  ].join("\n");
}

it("every TypeScript snippet of the documentation compiles", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  try {
    symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "snippets"));
    let count = 0;
    for (const page of PAGES) {
      for (const { text, line } of fencedBlocks(page).filter(({ language }) => language === "ts")) {
        count += 1;
        const name = `${page.replaceAll("/", "_").replace(".md", "")}-${String(line)}.ts`;
        writeFileSync(join(folder, "snippets", name), moduleOf(text));
      }
    }
    expect(count).toBeGreaterThanOrEqual(35);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings()));
    const tsc = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout.split("\n").filter((line) => line !== "")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The project's compiler options, with the package's entry points mapped to its sources. */
function settings(): object {
  const { compilerOptions } = JSON.parse(readFileSync(join(packageRoot, "tsconfig.json"), "utf8"));
  const { exports } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
    exports: Record<string, { default?: string }>;
  };
  const paths = Object.entries(exports).flatMap(([entryPoint, { default: built }]) =>
    built === undefined
      ? []
      : [
          [
            `toolmend${entryPoint.slice(1)}`,
            [join(packageRoot, built.replace("./dist", "src").replace(/\.js$/, ".ts"))],
          ],
        ],
  );
  return {
    compilerOptions: {
      ...compilerOptions,
      ...{ lib: ["es2024", "dom", "dom.iterable"], noUnusedLocals: false, noUnusedParameters: false },
      ...{ verbatimModuleSyntax: false, allowImportingTsExtensions: true, declaration: false },
      ...{ rewriteRelativeImportExtensions: false, paths: Object.fromEntries(paths) },
    },
    include: ["snippets"],
  };
}
