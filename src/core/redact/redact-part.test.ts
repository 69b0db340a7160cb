import { describe, expect, it } from "vitest";
import { redactPart } from "./redact.ts";

const part = (text: string, wanted: string): string => {
  const at = text.indexOf(wanted);
  return redactPart(text, at, at + wanted.length);
};

describe("redactPart", () => {
  it("removes a line of a private key, which is a secret only by the lines around it", () => {
    const text = "Error: bad key\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----";
    expect(part(text, "MIIEowIBAAKCAQEA")).toBe("[private key]");
    expect(part(JSON.stringify({ output: text }), "MIIEowIBAAKCAQEA")).toBe("[private key]");
    expect(part(text, "Error: bad key")).toBe("Error: bad key");
  });

  it("removes a value whose name is in the line above", () => {
    expect(part("db:\n  password: |\n    hunter2hunter2\nname: x", "hunter2hunter2")).toBe("[secret]");
  });

  it("keeps the rest of a line that contains a secret", () => {
    const text = "x\nmysql -uroot -phunter2hunter2 shop: denied\ny";
    expect(part(text, "mysql -uroot -phunter2hunter2 shop: denied")).toBe("mysql -uroot -p[secret] shop: denied");
  });

  it("reads a bounded part of a long text", () => {
    const text = `${"a line\n".repeat(100_000)}Error: token ghp_0123456789abcdefghij0123456789abcdef refused`;
    expect(part(text, "Error: token ghp_0123456789abcdefghij0123456789abcdef refused")).toBe(
      "Error: token [secret] refused",
    );
  });
});
