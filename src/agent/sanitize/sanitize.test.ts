import { describe, expect, it } from "vitest";
import { AROUND, lintSecrets, makeSecrets, seededRandom } from "../../../test/support/secrets.ts";
import { createSanitizer, safeText } from "./safe-text.ts";

const SECRETS = makeSecrets(seededRandom(7));

describe("safeText", () => {
  it("the linter recognizes most of the secrets in these tests", async () => {
    let known = 0;
    for (const secret of SECRETS) if ((await lintSecrets(`connect failed: ${secret}`)).length > 0) known += 1;
    expect(known).toBeGreaterThanOrEqual(25);
  });

  it.each(SECRETS.map((secret) => [secret.slice(0, 14), secret]))("removes %s… in any context", async (_, secret) => {
    for (const around of AROUND) {
      const safe = safeText(around(secret));
      // The secret part: the host may be shown, the password may not.
      const core = /:\/\/[^:]+:([^@]+)@/.exec(secret)?.[1] ?? secret;
      for (const piece of [core, core.slice(0, 20), core.slice(-16)]) expect(safe).not.toContain(piece);
      expect(await lintSecrets(safe)).toEqual([]);
    }
  });

  it("removes values known to the caller, whatever their format", () => {
    const sanitizer = createSanitizer({ secrets: ["tiger", /cat-\d+/, 'a"quoted"one'] });
    expect(sanitizer.forUser("The tiger met cat-17 and cat-18.")).toBe("The [secret] met [secret] and [secret].");
    expect(sanitizer.forUser(JSON.stringify({ x: 'a"quoted"one' }))).toBe('{"x":"[secret]"}');
  });

  it.each([
    ["aws_secret_access_key=abcdEFGH/ijkl0123+MNOP/qrstUVWX4567yzAB"],
    ["API key: abcd1234efgh"],
    ["login failed (user=ann pass=abcd1234)"],
    ["GET https://x.example.com/a?sv=1&sig=abcd1234%2Befgh failed"],
    ["mysql -uroot -pabcd1234 failed"],
    ["contraseña: abcd1234"],
  ])("removes every secret that the recorder removes: %s", (text) => {
    expect(safeText(text)).not.toMatch(/abcd(?:1234|EFGH)/);
  });

  it.each([
    ["No such file: /home/ann/x.txt", "No such file: [path]"],
    ["in C:\\Users\\ann\\x.txt", "in [path]"],
    ["in C:/Users/ann/x.txt", "in [path]"],
    ["see file:///etc/passwd", "see [path]"],
    ["share \\\\server\\data\\x", "share [path]"],
    ["reading ~/secrets/key", "reading [path]"],
    ["module '/srv/app/node_modules/x/index.js' failed", "module '[path]' failed"],
  ])("removes paths: %s", (text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  it.each([
    "City not found",
    "Order 3f2c9d1e-8f0a-4b1c-9d2e-0a1b2c3d4e5f is closed",
    "Expected 3 and/or 4 of 1/2",
    "See https://example.com/docs/errors for help",
    "Temperatur über 30 °C — größer als erlaubt",
    "東京は見つかりません",
  ])("keeps ordinary words: %s", (text) => {
    expect(safeText(text)).toBe(text);
  });

  it.each([
    "boom\n    at run (/srv/x.js:1:2)\n    at next",
    'boom\nTraceback (most recent call last):\n  File "x.py", line 3',
    "boom\ngoroutine 1 [running]:",
    "boom\n\tat com.example.Foo.bar(Foo.java:12)",
    "boom\nStack trace:\n#0 {main}",
  ])("removes stack traces: %j", (text) => {
    expect(safeText(text)).toBe("boom");
  });

  it("keeps the failures, file names and summary of a failing test run for the model", () => {
    const run = [
      "FAIL src/cart.test.ts > adds an item",
      "AssertionError: expected 1 to be 2",
      "    at add (/home/ann/shop/src/cart.ts:12:9)",
      "FAIL src/cart.test.ts > removes an item",
      ...Array.from({ length: 400 }, (_, n) => `    at frame${n} (/home/ann/shop/node_modules/runner/${n}.js:1:1)`),
      "DATABASE_PASSWORD=hunter2secret",
      "Tests: 2 failed, 40 passed",
    ].join("\n");
    const text = createSanitizer().forModel(run);
    expect(text).toContain("at add (/home/ann/shop/src/cart.ts:12:9)");
    expect(text).toContain("removes an item");
    expect(text.endsWith("Tests: 2 failed, 40 passed")).toBe(true);
    expect(text).not.toContain("hunter2secret");
    expect(text).toMatch(/\n\[… \d+ characters left out …\]\n/);
    expect(text.length).toBeLessThan(8100);
    expect(createSanitizer({ limit: 200 }).forModel(run).length).toBeLessThan(260);
  });

  it("removes a secret that is split where a very long text is shortened", () => {
    const secret = "hunter2hunter2";
    for (let shift = 0; shift < 40; shift += 1) {
      const text = `${"word ".repeat(6394)}${"x".repeat(shift)} password=${secret} ${"word ".repeat(20_000)}`;
      expect(createSanitizer().forModel(text)).not.toMatch(/hunter/);
    }
  });

  it("removes terminal codes and truncates the text", () => {
    expect(safeText("\u001b[31mred\u001b[0m\u0007")).toBe("red");
    expect(safeText("a".repeat(5) + " b".repeat(5000)).length).toBeLessThanOrEqual(500);
    expect(safeText(`${"a ".repeat(249)}😀😀`)).not.toMatch(/[\ud800-\udbff]…/);
  });

  it.each([
    ["-----BEGIN ", 50_000],
    ["password=", 50_000],
    ["/a", 100_000],
    ["eyJ", 100_000],
    ["a:", 100_000],
    ["A1", 100_000],
    ["at (:", 50_000],
  ])("processes %j quickly, repeated %i times", (piece, times) => {
    expect(safeText(piece.repeat(times)).length).toBeLessThanOrEqual(500);
  });
});
