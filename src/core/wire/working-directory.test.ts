import { expect, it } from "vitest";
import { workingDirectory } from "./working-directory.ts";

const system = (words: string): unknown => ({ messages: [{ role: "system", content: words }] });

it.each([
  ["blocks of a system prompt", { system: [{ text: "You are…" }, { text: "<env>\nWorking directory: /w/shop\nIs" }] }],
  ["a list of facts", { system: "# Environment\n - Primary working directory: /w/shop\n - Platform: linux" }],
  ["a system message", system("Here:\n<env>\n  Working directory: /w/shop\n</env>")],
  ["backticks", system("* Current working directory: `/w/shop`\n")],
  ["parentheses", system("# Current Workspace Directory (/w/shop) Files")],
  ["instructions", { instructions: "The current directory: /w/shop" }],
  [
    "a message of its own",
    {
      instructions: "You are…",
      input: [
        { role: "user", content: [{ text: "<environment_context>\n  <cwd>/w/shop</cwd>\n</environment_context>" }] },
        { role: "user", content: [{ text: "Fix it" }] },
      ],
    },
  ],
  [
    "contents with parts",
    { contents: [{ role: "user", parts: [{ text: "I'm currently working in the directory: /w/shop\nHere" }] }] },
  ],
  [
    "facts in a reminder",
    {
      system: "You are…",
      messages: [
        {
          role: "user",
          content: [{ text: "<system-reminder>\n# Environment\n - Primary working directory: /w/shop\n - Git: no" }],
        },
      ],
    },
  ],
  [
    "a list of folders",
    {
      contents: [
        { role: "user", parts: [{ text: "Context:\n- **Workspace Directories:**\n  - /w/shop\n  - /w/x\n" }] },
      ],
    },
  ],
])("the folder is read from %s", (_from, body) => {
  expect(workingDirectory(body)).toBe("/w/shop");
});

it("a path of Windows is read", () => {
  expect(workingDirectory(system("Working directory: C:\\work\\shop\r\nPlatform: win32"))).toBe("C:\\work\\shop");
});

it.each([
  ["words of the user", { messages: [{ role: "user", content: "My working directory: /w/shop is full" }] }],
  ["a relative path", system("Working directory: see below")],
  ["a path without its end", { messages: [{ role: "user", content: "<cwd>/w/shop" }] }],
  ["a very long line", system(`Working directory: /${"a".repeat(5000)}`)],
  ["a later message", { messages: ["a", "b", "c", "<cwd>/w</cwd>"].map((content) => ({ role: "user", content })) }],
  ["text behind the limit", system(`${"x".repeat(200_000)}\nWorking directory: /w/shop`)],
  ["no request", 7],
  ["odd values", { system: 7, messages: [null, { role: "system", content: [{ text: 7 }] }] }],
])("no folder is found in %s", (_in, body) => {
  expect(workingDirectory(body)).toBeUndefined();
});
