import { describe, expect, it } from "vitest";
import { extractToolCalls } from "../index.ts";

const invoke = (path: string): string => `<invoke name="read">\n<parameter name="path">${path}</parameter>\n</invoke>`;
const formats = (text: string): readonly string[] => extractToolCalls(text).matches.map(({ format }) => format);

describe("calls in one wrapper", () => {
  it("calls in one wrapper have the wrapper's format, so that they are reported as one leak", () => {
    const wrapped = `<minimax:tool_call>\n${invoke("a")}\n${invoke("b")}\n${invoke("c")}\n</minimax:tool_call>`;
    expect(formats(wrapped)).toEqual(["minimax-m2", "minimax-m2", "minimax-m2"]);
  });

  it("a wrapper does not give its format to a call behind it, or behind other text", () => {
    const wrapped = `<minimax:tool_call>\n${invoke("a")}\n</minimax:tool_call>`;
    expect(formats(`${wrapped}\n${invoke("b")}`)).toEqual(["minimax-m2", "anthropic-invoke"]);
    expect(formats(`<minimax:tool_call>\n${invoke("a")}\nand now\n${invoke("b")}`)).toEqual([
      "minimax-m2",
      "anthropic-invoke",
    ]);
  });
});
