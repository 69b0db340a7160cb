import { describe, expect, it } from "vitest";
import { arrayText } from "./database.ts";

describe("arrayText", () => {
  it("writes plain numbers, quoted texts and NULL", () => {
    expect(arrayText([1, -2.5, 1e21, null, "null", ""])).toBe('{1,-2.5,1e+21,NULL,"null",""}');
    expect(arrayText([])).toBe("{}");
  });

  it("escapes quotes and backslashes, and no other characters", () => {
    expect(arrayText(['say "hi"\\n', "{a,b}"])).toBe('{"say \\"hi\\"\\\\n","{a,b}"}');
    expect(arrayText(['a\nb\t"\u0001', "😀\\"])).toBe('{"a\nb\t\\"\u0001","😀\\\\"}');
  });
});
