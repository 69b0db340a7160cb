import { describe, expect, it } from "vitest";
import { humanText, isHumanMessage, promptText } from "./human-prompt.ts";

const REMINDER = "<system-reminder>\nToday is Monday. fix the bug\n</system-reminder>";

describe("what a person wrote", () => {
  it.each([
    ["plain words", "fix it", "fix it"],
    ["words behind a reminder", `${REMINDER}\n\nfix it`, "fix it"],
    ["words before a reminder", `fix it\n\n${REMINDER}`, "fix it"],
    ["words behind several wrappers", `<ide_opened_file>a.ts</ide_opened_file>\n${REMINDER}\nfix it`, "fix it"],
    ["words that a client wrapped", "<task>\nfix it\n</task>\n<environment_details>x</environment_details>", "fix it"],
    ["words that a client asked about", "<user_query>\nfix it\n</user_query>", "fix it"],
    [
      "a command with its arguments",
      "<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>12</command-args>",
      "/review\n12",
    ],
    [
      "words that begin with a paste of markup",
      "<div>\n<p>why is this red?</p></div>",
      "<div>\n<p>why is this red?</p></div>",
    ],
    ["a comparison", "< 5 is wrong here", "< 5 is wrong here"],
  ])("is found in %s", (_what, whole, words) => {
    expect(humanText(whole)).toBe(words);
  });

  it.each([
    ["a reminder", REMINDER],
    ["a reminder that is cut off", "<system-reminder>Today"],
    ["a notification of a background task", "<task-notification>\n<task-id>a1</task-id>\n</task-notification>"],
    ["the surroundings", "<environment_context>\n<cwd>/srv</cwd>\n</environment_context>"],
    ["standing instructions", "<user_instructions>\nbe brief\n</user_instructions>"],
    ["permissions", "<permissions instructions>\nask first\n</permissions instructions>"],
    ["the project's instructions", "# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>"],
    ["an interruption", "[Request interrupted by user for tool use]"],
    [
      "a summary of what went before",
      "This session is being continued from a previous conversation that ran out of context.",
    ],
    ["output of a local command", "<local-command-stdout>ok</local-command-stdout>"],
    ["a result written as text", "[read_file for 'a.ts'] Result:\nfix it"],
    ["nothing", " \n"],
  ])("is not %s", (_what, whole) => {
    expect(humanText(whole)).toBe("");
  });
});

describe("a message of a person", () => {
  it.each([
    ["a text", "fix it", true],
    [
      "parts with words",
      [
        { type: "text", text: REMINDER },
        { type: "text", text: "fix it" },
      ],
      true,
    ],
    [
      "words beside a result",
      [
        { type: "tool_result", tool_use_id: "t", content: "x" },
        { type: "text", text: "stop" },
      ],
      true,
    ],
    ["a result", [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "fix it" }] }], false],
    [
      "a result with a reminder",
      [
        { type: "tool_result", content: "x" },
        { type: "text", text: REMINDER },
      ],
      false,
    ],
    [
      "a result in several texts",
      [
        { type: "text", text: "[bash for 'ls'] Result:" },
        { type: "text", text: "a b" },
      ],
      false,
    ],
    ["a picture", [{ type: "image" }], false],
    ["something else", { text: "fix it" }, false],
    ["nothing", undefined, false],
  ])("is %s: %s", (_what, content, human) => {
    expect(isHumanMessage(content)).toBe(human);
    expect(promptText(content) !== "" && human).toBe(human);
  });

  it("is the same text as one string and in parts", () => {
    expect(promptText([{ type: "text", text: "fix it" }])).toBe(promptText("fix it"));
  });

  it("is read in no time when it is made of openers", () => {
    const before = Date.now();
    for (const piece of ["<a-b>", "<", "<system-reminder>", "</", "<a-b "]) humanText(piece.repeat(200_000));
    expect(Date.now() - before).toBeLessThan(2000);
  });
});
