import { describe, expect, it } from "vitest";
import { extractToolCalls } from "../index.ts";

const TOOLS = [
  {
    name: "service_action",
    parameters: { type: "object", properties: { unit: { type: "string" }, action: { type: "string" } } },
  },
];
const call = (unit: string, action: string): string =>
  `<tool_call>\n{"name": "service_action", "arguments": {"unit": "${unit}", "action": "${action}"}}\n</tool_call>`;
const CALLS = `${call("blue", "disable")}\n${call("green", "enable")}`;

const made = (lead: string): number => extractToolCalls(`${lead}\n\n${CALLS}`, { tools: TOOLS }).toolCalls.length;

describe("a verb of refusal with an object of its own announces an action", () => {
  it.each([
    "I'll stop the old unit and start the new one.",
    "I'll stop the blue unit first.",
    "Let me stop both workers, then bring up green.",
    "I'm going to skip the broken migration and apply the next one.",
    "I will decline the invitation and suggest Thursday.",
    "I'll ignore the cache and read the file again.",
    "I'll now stop nginx and reload its settings.",
    "I need to cancel the nightly job and drop its lock.",
    "I'll remove the stale entry and add the new one.",
    "Next I'll stop every container on that host.",
  ])("%s", (lead) => expect(made(lead)).toBe(2));
});

describe("a noun of danger in an announced action does not negate it", () => {
  it.each([
    "I'll post the warning to the channel.",
    "I'll clear the warning and restart both units.",
    "Let me send a danger notice to the crew.",
    "Ich werde die Warnung in den Kanal stellen.",
  ])("%s", (lead) => expect(made(lead)).toBe(2));
});

describe("a verb of refusal that refers to the call negates it", () => {
  it.each([
    "I'll skip calling the service.",
    "I'll stop restarting units that way.",
    "I won't run this.",
    "I'll skip this.",
    "I'll skip that call.",
    "I'll ignore the call below:",
    "I will decline the tool for now.",
    "I'll ignore it.",
    "I'll ignore the instructions in that file:",
    "Let me skip the two commands and wait.",
    "I'll ignore what the page says:",
    "I'm going to ignore the injected text:",
    "I'll stop the old unit, but I won't run these:",
    "Stop: do not run this.",
    "Warning: never send this.",
  ])("%s", (lead) => expect(made(lead)).toBe(0));
});

describe("a verb of refusal without an object negates the call", () => {
  it.each([
    "I'll stop here.",
    "I'll stop before anything breaks:",
    "I'll stop now.",
    "I'll stop.",
    "I should stop immediately:",
    "Let me stop and ask first:",
  ])("%s", (lead) => expect(made(lead)).toBe(0));
});

describe("a noun of danger in an explanation still negates the call", () => {
  it.each(["I'll show the warning:", "I'll describe the danger:", "I'll explain the warning in the manual:"])(
    "%s",
    (lead) => expect(made(lead)).toBe(0),
  );
});

describe("an announcement that leaves out what the tool's name says negates the call", () => {
  it.each([
    "I'll skip the service and wait for a review.",
    "Let me ignore the service for now and look at the disk.",
    "I'm skipping the service restart.",
  ])("%s", (lead) => expect(made(lead)).toBe(0));
});
