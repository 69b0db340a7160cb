import { describe, expect, it } from "vitest";
import { humanText, isHumanMessage, promptText } from "./human-prompt.ts";

const REMINDER = "<system-reminder>\nToday is Monday. fix the bug\n</system-reminder>";

describe("promptText and isHumanMessage", () => {
  it.each([
    ["plain text", "fix it", "fix it"],
    ["text after a reminder", `${REMINDER}\n\nfix it`, "fix it"],
    ["text before a reminder", `fix it\n\n${REMINDER}`, "fix it"],
    ["text after several wrappers", `<ide_opened_file>a.ts</ide_opened_file>\n${REMINDER}\nfix it`, "fix it"],
    ["text in a task tag", "<task>\nfix it\n</task>\n<environment_details>x</environment_details>", "fix it"],
    ["text in a user_query tag", "<user_query>\nfix it\n</user_query>", "fix it"],
    [
      "a command with its arguments",
      "<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>12</command-args>",
      "/review\n12",
    ],
    [
      "text that begins with pasted markup",
      "<div>\n<p>why is this red?</p></div>",
      "<div>\n<p>why is this red?</p></div>",
    ],
    ["a comparison", "< 5 is wrong here", "< 5 is wrong here"],
  ])("extracts the user's text from %s", (_what, whole, expected) => {
    expect(humanText(whole)).toBe(expected);
  });

  it.each([
    ["a reminder", REMINDER],
    ["a truncated reminder", "<system-reminder>Today"],
    ["a notification of a background task", "<task-notification>\n<task-id>a1</task-id>\n</task-notification>"],
    ["environment details", "<environment_context>\n<cwd>/srv</cwd>\n</environment_context>"],
    ["custom instructions", "<user_instructions>\nbe brief\n</user_instructions>"],
    ["permissions", "<permissions instructions>\nask first\n</permissions instructions>"],
    ["the project's instructions", "# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>"],
    ["an interruption", "[Request interrupted by user for tool use]"],
    [
      "a summary of what went before",
      "This session is being continued from a previous conversation that ran out of context.",
    ],
    ["output of a local command", "<local-command-stdout>ok</local-command-stdout>"],
    ["a result written as text", "[read_file for 'a.ts'] Result:\nfix it"],
    ["whitespace", " \n"],
  ])("finds no user text in %s", (_what, whole) => {
    expect(humanText(whole)).toBe("");
  });
});

describe("isHumanMessage", () => {
  it.each([
    ["a text", "fix it", true],
    [
      "parts with text",
      [
        { type: "text", text: REMINDER },
        { type: "text", text: "fix it" },
      ],
      true,
    ],
    [
      "text beside a result",
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
  ])("classifies %s: %s", (_what, content, human) => {
    expect(isHumanMessage(content)).toBe(human);
    expect(promptText(content) !== "" && human).toBe(human);
  });

  it("promptText returns the same text for a string and for parts", () => {
    expect(promptText([{ type: "text", text: "fix it" }])).toBe(promptText("fix it"));
  });

  it("promptText takes linear time on a text of opening tags", () => {
    const before = Date.now();
    for (const piece of ["<a-b>", "<", "<system-reminder>", "</", "<a-b "]) humanText(piece.repeat(200_000));
    expect(Date.now() - before).toBeLessThan(2000);
  });
});

it("a warning that a client writes to its model is not written by a person", () => {
  expect(isHumanMessage([{ text: "System: Potential loop detected. Details: Repeated tool call: read." }])).toBe(false);
});
