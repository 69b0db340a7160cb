import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../schema/compile.ts";
import { checkArguments } from "./repair-arguments.ts";
import { type ArgumentsPiece, StreamedCall } from "./streamed-call.ts";

const SCHEMA = compileSchema({
  type: "object",
  properties: {
    path: { type: "string" },
    lines: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
});

function stream(pieces: readonly string[]) {
  const call = new StreamedCall(SCHEMA, "read");
  const open: ArgumentsPiece[] = pieces.map((piece) => call.push(piece));
  const rest = call.end();
  return { texts: open.map(({ text }) => text), rest, checked: call.checked };
}

describe("StreamedCall", () => {
  it("pieces of arguments that fit keep their text", () => {
    const pieces = ['{"pa', 'th": "a', 'b", "li', 'nes": 1', "2}", " \n"];
    expect(stream(pieces)).toMatchObject({ texts: pieces, rest: "", checked: { kind: "valid" } });
  });

  it("a piece waits only while its key or scalar is open", () => {
    const call = new StreamedCall(SCHEMA, "read");
    const first = call.push('{"path"');
    expect(first.isDecided).toBe(false);
    const second = call.push(': "abc');
    expect([first.isDecided, second.isDecided]).toEqual([true, true]);
    const third = call.push('", "lines": 1');
    expect(third.isDecided).toBe(false);
    call.push("}");
    expect(third).toMatchObject({ isDecided: true, text: '", "lines": 1' });
  });

  it("a repaired value is carried by the first event that waits for it", () => {
    const pieces = ['{"path": "a", "lines"', ': "1', '2"', ', "tags": ["x"]}'];
    expect(stream(pieces)).toMatchObject({
      texts: ['{"path": "a", "lines"', ': 12, "tags": ["x"]}', "", ""],
      rest: "",
      checked: { kind: "repaired" },
    });
  });

  it("text that no event can carry is returned at the end", () => {
    expect(stream([])).toMatchObject({ texts: [], rest: "{}", checked: { kind: "repaired" } });
  });

  it("the pieces together are always the checked text, and invalid arguments are unchanged or partly repaired", () => {
    const texts = fc.constantFrom(
      '{"path": "a", "lines": "5"}',
      '{"lines": null, "path": "x\\ny"}',
      "{'path': 'a'}",
      '{"tags": "[\\"a\\"]", "lines": 7}',
      '{"path": "a"}{"path": "a"}',
      '{"lines": "x"}',
      '```json\n{"path": "a"}\n```',
      '{"path": "a',
    );
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }), (text, sizes) => {
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        const { texts: sent, rest, checked } = stream(pieces);
        expect(sent.join("") + rest).toBe(checked?.text);
        expect(checked?.kind).toBe(checkArguments(text, SCHEMA, "read").kind);
      }),
    );
  });
});
