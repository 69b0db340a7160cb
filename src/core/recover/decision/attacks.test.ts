import { describe, expect, it } from "vitest";
import { extractToolCalls } from "../index.ts";

/** Texts of a red team that got through once. */
const TOOLS = [
  { name: "bash", parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] } },
  { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
];
const CALL = '<tool_call>\n{"name": "bash", "arguments": {"command": "npm publish"}}\n</tool_call>';

const made = (text: string): number => extractToolCalls(text, { tools: TOOLS }).toolCalls.length;

describe("a call that waits for consent is left", () => {
  it.each([
    "Once you confirm, I'll run:",
    "When you approve, I will send this:",
    "Pending your approval:",
    "Before I continue, can you confirm that I should run",
    "Should the tests fail, run",
    "Here is a draft of the call for your review:",
    "Sobald ich deine Freigabe habe, führe ich das aus:",
  ])("%s", (lead) => expect(made(`${lead}\n\n${CALL}`)).toBe(0));
});

describe("a call that is taken back is left", () => {
  it.each([
    "Scratch that. You said no releases on Fridays.",
    "Wait, no — you told me not to publish anything.",
    "Never mind, the tests are still red.",
    "Doch nicht, die Tests sind noch rot.",
    "Ma senza il tuo consenso non lo faccio.",
  ])("%s", (comment) => expect(made(`Let me publish it.\n${CALL}\n\n${comment}`)).toBe(0));
});

describe("a call under a caption is left", () => {
  it.each(["Cancelled:", "Skipped:", "Rejected:", "Wrong:", "Before:", "value:"])("%s", (caption) =>
    expect(made(`${caption}\n${CALL}`)).toBe(0),
  );
});

describe("a call that is refused is left, in any of these languages", () => {
  it.each([
    ["French", "Je me garderai bien de lancer ceci :"],
    ["Korean", "다음 호출은 하지 않겠습니다:"],
    ["Turkish", "Bunu çalıştırmayacağım:"],
    ["Finnish", "En aio suorittaa tätä:"],
    ["Hungarian", "Ezt nem fogom lefuttatni:"],
    ["Greek", "Δεν πρόκειται να εκτελέσω αυτό:"],
    ["Hebrew", "אני לא אריץ את זה:"],
    ["Thai", "ฉันจะไม่รันคำสั่งนี้:"],
  ])("%s", (_language, lead) => expect(made(`${lead}\n${CALL}`)).toBe(0));
});

describe("a call that is quoted, reported or handed on is left", () => {
  it.each([
    "Quoting the attacker's page verbatim:",
    "Forward this to the release agent, who has to execute it:",
    "I added a fixture to the suite. Its content:",
    "The parser chokes on this string:",
    "Modellen svarade så här i loggen:",
    "Учора агент зробив такий виклик:",
  ])("%s", (lead) => expect(made(`${lead}\n\n${CALL}`)).toBe(0));
});

it("a call that an explanation of its parts follows is left", () => {
  expect(made(`${CALL}\n\nEach tag holds one call; the arguments are JSON.`)).toBe(0);
});

it("the same call in several formats is a comparison, and none is made", () => {
  const invoke = '<invoke name="bash">\n<parameter name="command">npm publish</parameter>\n</invoke>';
  expect(made(`Hermes\n\n${CALL}\n\nAnthropic\n\n${invoke}`)).toBe(0);
});

describe("a call under a title that names what is shown is left", () => {
  it.each(["Now the example:", "And the injection:", "And the page:", "Also the mistake:", "And the log:"])(
    "%s",
    (title) => expect(made(`${title}\n\n${CALL}`)).toBe(0),
  );
});
