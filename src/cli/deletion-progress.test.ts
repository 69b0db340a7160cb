import { afterEach, expect, it, vi } from "vitest";
import { showDeletion } from "./commands/delete.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("shows the step and the counts on a terminal once a second, and clears the line at the end", async () => {
  vi.useFakeTimers();
  let text = "";
  const err = (more: string): void => {
    text += more;
  };
  const hide = showDeletion({ err, errIsTerminal: true }, async () => ({ step: "database", sessions: 1, calls: 30 }));
  await vi.advanceTimersByTimeAsync(2000);
  hide();
  await vi.advanceTimersByTimeAsync(2000);
  const line = "\r\u001b[KDeleting: rewriting the database (1 session, 30 calls so far)";
  expect(text).toBe(`${line}${line}\r\u001b[K`);
});

it("shows nothing if stderr is not a terminal", async () => {
  vi.useFakeTimers();
  const hide = showDeletion({ err: () => expect.fail("no terminal") }, async () => expect.fail("no progress is read"));
  await vi.advanceTimersByTimeAsync(2000);
  hide();
});
