import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../test/support/classify.ts";

describe("the HTTP status in an output", () => {
  test("a printed head of a refused request is a soft failure, unless the command asked for the head", () => {
    const text = 'HTTP/2 401\r\nserver: x\r\n\r\n{"error":{"message":"The key q is not valid"}}';
    expect(shell("curl -sS -i https://pay.example/v1", text)).toMatchObject({ soft: true, category: "auth" });
    const verbose = "> GET /v1 HTTP/2\n> accept: */*\n>\n< HTTP/2 504\n< server: x\n<\nlate";
    expect(shell("curl -v https://pay.example/v1", verbose)).toMatchObject({
      soft: true,
      category: "http_server_error",
    });
    expect(shell("curl -sI https://pay.example/v1", "HTTP/2 404\r\nserver: x\r\n").soft).toBe(false);
    expect(shell("curl -sSL -i https://pay.example/v1", `${text}\nHTTP/2 200\r\nserver: x\r\n\r\nhello`).soft).toBe(
      false,
    );
  });

  test("a status behind an address is that of the server", () => {
    expect(
      answer("create_page", "failed to create page: POST https://a.example/pages: 422 title is too long"),
    ).toMatchObject({ category: "http_client_error" });
  });
});
