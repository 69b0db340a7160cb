import { describe, expect, it } from "vitest";
import { errorTemplate } from "./error-template.ts";

describe("errorTemplate", () => {
  it.each([
    ["ENOENT: no such file or directory, open '/home/a/b.ts'", "ENOENT: no such file or directory, open <quoted>"],
    ["cat: /tmp/x1: No such file or directory", "cat: <path>: No such file or directory"],
    ["connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED #"],
    ["connect ECONNREFUSED ::1", "connect ECONNREFUSED #"],
    ["listen EADDRINUSE: address already in use :::3000", "listen EADDRINUSE: address already in use #"],
    ["getaddrinfo ENOTFOUND api.example.com", "getaddrinfo ENOTFOUND <host>"],
    ["HTTP 404: https://api.example.com/v1/users/42?x=1&y=(2)", "HTTP #: <url>"],
    ["Command timed out after 1m 30s", "Command timed out after #"],
    ["No space left: 1,234,567 bytes needed", "No space left: # needed"],
    ["request 7f3b2c1a-1234-4abc-9def-0123456789ab failed", "request # failed"],
    ["fatal: bad object 3f2a9c1", "fatal: bad object #"],
    ["worker-3 and worker-14 died", "worker-# and worker-# died"],
    ["cannot open a.txt, b.txt, c.txt", "cannot open <path>"],
    ["mkstemp tmpa81xk2 failed", "mkstemp # failed"],
  ])("turns %j into %j", (message, template) => {
    expect(errorTemplate(message)).toBe(template);
  });

  it.each([
    ["error codes", "error TS2345 E0502 ORA-00942 [42P01]"],
    ["class names", "java.lang.NullPointerException React.Component"],
    ["apostrophes", "you don't have what it's about and can't get it"],
    ["plain words", "the defaced facade was added to the feedback"],
  ])("keeps %s", (_what, message) => {
    expect(errorTemplate(message)).toBe(message);
  });

  it("takes linear time for long messages of near misses", () => {
    const before = Date.now();
    for (const piece of ["'", "a'", "/", ".", "1", "a.", "0x", "#,", "<path> ", "::", "http:/", "a-1_", "\\", "# "])
      for (let round = 0; round < 20; round += 1) errorTemplate(piece.repeat(1_000_000 / piece.length));
    expect(Date.now() - before).toBeLessThan(5000);
  });
});
