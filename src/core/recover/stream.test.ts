import { describe, expect, it } from "vitest";
import { createLeakScanner, type LeakEvent } from "./index.ts";

const CALL = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>';
const textOf = (events: readonly LeakEvent[]): string =>
  events.map((event) => (event.kind === "text" ? event.text : "")).join("");
const callsOf = (events: readonly LeakEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === "call" ? [event.call.name] : []));

describe("createLeakScanner", () => {
  it("emits plain text immediately", () => {
    const scanner = createLeakScanner();
    expect(textOf(scanner.push("Hello, 1 < 2 "))).toBe("Hello, 1 < 2");
    expect(textOf(scanner.push("and more"))).toBe(" and more");
    expect(scanner.held).toBe(0);
  });

  it("holds a prefix of a marker and emits it if no marker follows", () => {
    const scanner = createLeakScanner();
    expect(textOf(scanner.push("see <tool_"))).toBe("see");
    expect(scanner.held).toBe(7);
    expect(textOf(scanner.push("box>"))).toBe(" <tool_box>");
  });

  it("emits the text before a call immediately, and the call at the end of the message", () => {
    const scanner = createLeakScanner();
    expect(textOf(scanner.push(`One. ${CALL.slice(0, 20)}`))).toBe("One.");
    expect(callsOf(scanner.push(CALL.slice(20)))).toEqual([]);
    // Later text may still show that the call was only mentioned.
    expect(scanner.push("\nTwo.")).toEqual([]);
    const events = scanner.end();
    expect(events.map((event) => event.kind)).toEqual(["call", "match", "text"]);
    expect(textOf(events)).toBe("\nTwo.");
    expect(scanner.held).toBe(0);
  });

  it("emits everything at the end, including an incomplete opener", () => {
    const scanner = createLeakScanner();
    scanner.push('wait <tool_call>{"na');
    expect(textOf(scanner.end())).toBe(' <tool_call>{"na');
    expect(scanner.held).toBe(0);
  });

  it("emits a candidate that exceeds the limit unchanged and with the reason", () => {
    const scanner = createLeakScanner({ maxCandidateChars: 1000 });
    const long = `<tool_call>{"name": "f", "arguments": {"a": "${"x".repeat(9000)}`;
    let out = "";
    const reasons: string[] = [];
    for (let i = 0; i < long.length; i += 50) {
      for (const event of scanner.push(long.slice(i, i + 50))) {
        if (event.kind === "text") out += event.text;
        else if (event.kind === "match" && event.match.kind === "rejected") reasons.push(event.match.reason);
      }
    }
    expect(out.length).toBeGreaterThan(6000);
    expect(reasons).toEqual(["too-large"]);
    expect(out + textOf(scanner.end())).toBe(long);
  });

  it("preserves a surrogate pair that is split across chunks", () => {
    const scanner = createLeakScanner();
    const [high, low] = "🐑".split("") as [string, string];
    expect(textOf(scanner.push(`a${high}`)) + textOf(scanner.push(`${low}b`)) + textOf(scanner.end())).toBe("a🐑b");
  });

  it("drops the stray word of a Claude Code leak, wherever the stream is split", () => {
    const text = 'I look.\n\ncount\n<invoke name="Bash">\n<parameter name="command">ls</parameter>\n</invoke>';
    for (let cut = 1; cut < text.length; cut++) {
      const scanner = createLeakScanner({ tools: [{ name: "Bash" }] });
      const events = [...scanner.push(text.slice(0, cut)), ...scanner.push(text.slice(cut)), ...scanner.end()];
      expect(textOf(events)).toBe("I look.");
      expect(callsOf(events)).toEqual(["Bash"]);
    }
  });

  it("keeps the same word in a sentence", () => {
    const text = "count\nthe sheep, then call\nme";
    const scanner = createLeakScanner();
    expect(textOf([...scanner.push(text), ...scanner.end()])).toBe(text);
  });

  it("emits nothing after the end", () => {
    const scanner = createLeakScanner();
    scanner.push("a");
    scanner.end();
    expect(textOf(scanner.end())).toBe("");
  });
});
