import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findLoops, guardRequest } from "../../src/core/loop/index.ts";
import { type DecodedRequest, WIRE } from "../../src/core/wire/index.ts";
import { LOOP_SESSIONS, type ScriptedStep } from "../support/loop-sessions.ts";

const TOOLS = [{ name: "Read", input_schema: {} }];

function bodyOf(steps: readonly ScriptedStep[], from = 0): { readonly messages: readonly object[] } {
  const messages = steps.flatMap((step, at): readonly object[] => {
    if (step.kind === "user") return [{ role: "user", content: step.text }];
    const calls = step.calls.map((call, index) => ({ ...call, id: `toolu_${from + at}_${index}` }));
    return [
      { role: "assistant", content: calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })) },
      {
        role: "user",
        content: calls.map(({ id, result, isError }) => ({
          ...{ type: "tool_result", tool_use_id: id, content: result },
          ...(isError === true && { is_error: true }),
        })),
      },
    ];
  });
  return { messages: [{ role: "user", content: "Fix the failing test." }, ...messages] };
}

function decode(body: object): DecodedRequest {
  const request = WIRE.anthropic.decodeRequest({ tools: TOOLS, ...body });
  if (request === undefined) throw new Error("not a request");
  return request;
}

/** The first loop, and the number of the call whose result made it one. */
function report(request: DecodedRequest): string {
  const [loop] = findLoops(request);
  if (loop === undefined) return "–";
  const made = request.calls.filter(({ resultAt = 0 }) => resultAt <= loop.at).length;
  return `${loop.kind}${loop.period > 1 ? ` of ${loop.period}` : ""} at call ${made}`;
}

/** Rows of the table in docs/loops.md with this heading. */
function tableOf(heading: string): readonly (readonly [string, string])[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/loops.md"), "utf8");
  const part = page
    .slice(page.indexOf(heading))
    .split("\n\n")
    .find((text) => text.startsWith("| session"));
  return (part ?? "")
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, title = "", fires = ""]) => [title, fires] as const);
}

describe("scripted sessions", () => {
  it.each(LOOP_SESSIONS)("$title: $fires", ({ steps, fires }) => {
    expect(report(decode(bodyOf(steps)))).toBe(fires);
  });

  it("scripted sessions are the ones that docs/loops.md lists, with what is reported", () => {
    expect(tableOf("## What fires when")).toEqual(LOOP_SESSIONS.map(({ title, fires }) => [title, fires]));
  });

  it.each(LOOP_SESSIONS)("$title: the guard adds a note exactly where the signal reports a loop", ({ steps }) => {
    const body = { tools: TOOLS, ...bodyOf(steps) };
    const request = decode(body);
    const first = guardRequest("anthropic", body, request).notes[0]?.at;
    expect(first).toBe(findLoops(request)[0]?.at);
  });

  it("a fork gives the same loops, and after a compaction the loops of what the request still holds", () => {
    const looping = LOOP_SESSIONS[0]?.steps ?? [];
    expect(report(decode(bodyOf(looping, 500)))).toBe("repeat at call 4");
    expect(report(decode(bodyOf(looping.slice(1))))).toBe("–");
  });
});
