import { expect, it } from "vitest";
import { sessionHash } from "../../store/deletions.ts";
import { isLineOf, isRejectedLineOf, sessionOfLine } from "./session-lines.ts";

const event = (fields: object): string => JSON.stringify({ type: "x", v: 1, ...fields });
const hashes = new Set([sessionHash({ project: "default", session_id: "gone" })]);

it("sessionOfLine returns the project and the session id of a line", () => {
  expect(sessionOfLine(event({ project: "p", session_id: "s" }))).toEqual({ project: "p", session_id: "s" });
  expect(sessionOfLine(event({ session_id: 'a "quoted" \\ é👀\n' }))).toEqual({
    project: "default",
    session_id: 'a "quoted" \\ é👀\n',
  });
  expect(sessionOfLine("no JSON")).toBeUndefined();
  expect(sessionOfLine('{"session_id":"never ends')).toBeUndefined();
  expect(sessionOfLine('{"session_id":"ends with \\"')).toBeUndefined();
});

it("sessionOfLine ignores a field that is quoted inside a text", () => {
  const line = event({ project: "default", message: '{"session_id":"gone"}', session_id: "stays" });
  expect(sessionOfLine(line)).toEqual({ project: "default", session_id: "stays" });
  expect(isLineOf(hashes)(line)).toBe(false);
});

it("isLineOf matches lines by project and session id", () => {
  const isGone = isLineOf(hashes);
  expect(isGone(event({ project: "default", session_id: "gone" }))).toBe(true);
  expect(isGone(event({ project: "other", session_id: "gone" }))).toBe(false);
  expect(isGone(event({ project: "default", session_id: "gone2" }))).toBe(false);
});

it("isLineOf rejects an id longer than 4,096 characters with escaped quotes", () => {
  expect(sessionOfLine(`{"session_id":"${'\\"'.repeat(2_000_000)}`)).toBeUndefined();
});

it("isRejectedLineOf matches rejected lines of the session, and lines that name no session", () => {
  const isGone = isRejectedLineOf(hashes);
  const rejected = (line: string): string => JSON.stringify({ line, reason: "r", at: 5 });
  expect(isGone(rejected(event({ project: "default", session_id: "gone" })))).toBe(true);
  expect(isGone(rejected('{"half'))).toBe(true);
  expect(isGone("garbage")).toBe(true);
  expect(isGone(rejected(event({ project: "default", session_id: "stays" })))).toBe(false);
});

it("isRejectedLineOf matches rejected lines by age under retention", () => {
  const isGone = isRejectedLineOf(hashes, 100);
  const rejected = (session_id: string, at?: number): string =>
    JSON.stringify({ line: event({ session_id }), reason: "r", at });
  expect(isGone(rejected("gone", 200))).toBe(true);
  expect(isGone(rejected("stays", 99))).toBe(true);
  expect(isGone(rejected("stays"))).toBe(true);
  expect(isGone(rejected("stays", 100))).toBe(false);
});
