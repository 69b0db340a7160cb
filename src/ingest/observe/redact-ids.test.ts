import { describe, expect, it } from "vitest";
import { callObservation } from "../../../test/support/observations.ts";
import type { Observation } from "../../core/model/observation.ts";
import { CallObserver } from "./observe-call.ts";

const { redactIds } = new CallObserver({ capture: "none", salt: "s" });
const KEY = "sk-ant-api03-hunter22hunter22";

describe("redacting the ids of an observation", () => {
  it.each([
    "toolu_01A09q90qw90lq917835lq9",
    "call_0",
    "call_abc123DEF456ghi789JKL012",
    "chatcmpl-tool-9f3c9a1052d44c1e9b1f2f6f0f1f9a11",
    "functions.read_file:0",
    "7f3c9a10-52d4-4c1e-9b1f-2f6f0f1f9a11",
    "derived-0123456789abcdef01234567",
    "msg_01XFDUDYJgAACzvnptvVoYEL",
    "resp_68af4030592c81938ec0a5fbab4a3e9f05438e46b5f69a3b",
    "session_password_reset",
  ])("leaves a harmless id unchanged: %s", (id) => {
    const observation = callObservation({ session_id: id, tool_call_id: id });
    expect(redactIds(observation)).toBe(observation);
  });

  it("replaces an id that contains a key by the same hash everywhere", () => {
    const observation = {
      ...callObservation({ session_id: KEY, agent_id: "root", tool_call_id: KEY, request_id: `r-${KEY}` }),
      place: { kind: "response", conversation: "c", n: 0, response_id: KEY },
      turn: KEY,
    } as Observation;
    const redacted = redactIds(observation);
    expect(JSON.stringify(redacted)).not.toContain("hunter22");
    expect(redacted).toMatchObject({
      session_id: expect.stringMatching(/^redacted-[0-9a-f]{24}$/),
      agent_id: "root",
      request_id: expect.stringMatching(/^redacted-/),
    });
    const { session_id, tool_call_id, turn, place } = redacted as unknown as Record<string, unknown>;
    expect([tool_call_id, turn, (place as { response_id: string }).response_id]).toEqual([
      session_id,
      session_id,
      session_id,
    ]);
  });

  it("replaces ids in the lists of a response", () => {
    const response = {
      ...callObservation({}),
      kind: "response",
      tool_call_ids: ["call_1", KEY],
      stored_response: { counts: { call_0: 2, [KEY]: 1 } },
    } as unknown as Observation;
    const redacted = redactIds(response) as unknown as { tool_call_ids: string[]; stored_response: { counts: object } };
    expect(redacted.tool_call_ids).toEqual(["call_1", expect.stringMatching(/^redacted-/)]);
    expect(Object.keys(redacted.stored_response.counts)).toEqual(["call_0", redacted.tool_call_ids[1]]);
  });

  it("replaces ids that contain an email address at level personal", () => {
    const personal = new CallObserver({ capture: "none", salt: "s", redact: "personal" });
    const observation = callObservation({ session_id: "ann@example.com" });
    expect(redactIds(observation).session_id).toBe("ann@example.com");
    expect(personal.redactIds(observation).session_id).toMatch(/^redacted-/);
  });
});

it("text, names and messages are redacted at the observer's level", () => {
  const raw = {
    ...callObservation({ name: "mail_ann@example.com" }),
    arguments: { to: "ann@example.com", command: "mysql -phunter22" },
    result: { content: "Error: no mailbox ann@example.com", is_error: true },
  } as never;
  const observation = (redact: "secrets" | "personal"): string =>
    JSON.stringify(new CallObserver({ capture: "errors", salt: "s", redact }).observe(raw));
  expect(observation("secrets")).toContain("ann@example.com");
  expect(observation("secrets")).not.toContain("hunter22");
  expect(observation("personal")).toContain("no mailbox [email]");
  expect(observation("personal")).not.toContain("ann@example.com");
  expect(observation("personal")).not.toContain("hunter22");
});
