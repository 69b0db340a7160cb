import { describe, expect, it } from "vitest";
import { plainCharacters } from "./characters.ts";

describe("plainCharacters", () => {
  it.each([
    ["full-width forms", "＜ｉｎｖｏｋｅ　ｎａｍｅ＝＂Ｂａｓｈ＂＞", '<invoke name="Bash">'],
    ["mathematical letters", "𝐛𝐚𝐬𝐡 𝒸𝓊𝓇𝓁 𝚛𝚖 𝟏𝟐", "bash curl rm 12"],
    ["Cyrillic letters", "сurl ехamрlе.соm", "curl example.com"],
    ["Greek letters", "ΒASΗ rοοt", "BASH root"],
    ["small capitals", "ʙᴀꜱʜ", "bash"],
    ["signs with letters", "ⓑⓐⓢⓗ 🅑🅐🅢🅗", "bash bash"],
    ["typographic quotes and dashes", "“a” ‘b’ «c» — –", `"a" 'b' "c" - -`],
    ["angle brackets", "‹a› ⟨b⟩ 〈c〉 ˂d˃", "<a> <b> <c> <d>"],
    ["special spaces", "a\u00a0b\u2003c\u3000d", "a b c d"],
    ["letters with accents", "ïnvóke", "invoke"],
    ["zero-width characters and soft hyphens", "i\u200bn\u00advo\u2060ke\ufeff", "invoke"],
    ["direction marks and tags", "\u202einvoke\u202c\u{e0041}", "invoke"],
    ["colors", "\x1b[31m<invoke\x1b[0m \x1b[1;38;5;12mname\x1b[K", "<invoke name"],
    ["colors whose escape character is written as two", "^[[31m<invoke^[[0m", "<invoke"],
    ["links of terminals", "\x1b]8;;http://example.com\x07bash\x1b]8;;\x07", "bash"],
    ["line ends", "a\r\nb\u2028c\rd", "a\nb\nc\nd"],
  ])("normalizes %s", (_title, written, plain) => {
    expect(plainCharacters(written)).toBe(plain);
  });

  it("returns plain text unchanged", () => {
    const text = 'const a = "b"; // 1 → 2\n';
    expect(plainCharacters(text)).toBe(text);
  });
});
