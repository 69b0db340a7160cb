import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../../test/support/classify.ts";

describe("answers in JSON", () => {
  test("a decision against the call is a refusal", () => {
    expect(answer("delete_branch", '{"decision":"deny","reason":"main is protected here"}')).toMatchObject({
      status: "failed",
      category: "permission_denied",
      phase: "gate",
    });
  });

  test("the number of an error beside empty data is a failure", () => {
    expect(answer("get_stock", '{"code":40021,"msg":"库存服务暂时不可用","data":null}')).toMatchObject({
      status: "failed",
      category: "http_server_error",
      message: "库存服务暂时不可用",
    });
    expect(answer("get_stock", '{"code":0,"msg":"success","data":null}').status).toBe("ok");
    expect(answer("get_stock", '{"code":40021,"msg":"库存","data":{"id":1}}').status).toBe("ok");
  });

  test("a list of results is a failure if all of them failed, not if one of several did", () => {
    const one = '{"page":"/a","success":false,"error":"connection refused"}';
    expect(answer("load_pages", `{"results":[${one}],"count":1}`)).toMatchObject({
      status: "failed",
      category: "network",
      message: "connection refused",
    });
    expect(answer("load_pages", `{"results":[${one},{"page":"/b","success":true}],"count":2}`).status).toBe("ok");
  });

  test.each([
    ['{"esito": "KO", "motivo": "nessun posto libero"}', "nessun posto libero"],
    ['{"結果": "エラー", "メッセージ": "予約がいっぱいです"}', "予約がいっぱいです"],
  ])("a status in another language is a failure with its reason: %s", (text, reason) => {
    expect(answer("reserve", text)).toMatchObject({ status: "failed", message: expect.stringContaining(reason) });
  });

  test("a message about limits outweighs the status", () => {
    expect(answer("list_commits", '{"message":"API rate limit exceeded for key 7","status":"403"}')).toMatchObject({
      category: "rate_limited",
    });
  });

  test("the reason of a check that found something invalid is no failure", () => {
    expect(answer("validate_vat", '{"valid": false, "reason": "wrong check digit"}').status).toBe("ok");
  });

  test("a status is the answer of a tool that checks another server", () => {
    expect(answer("check_site", '{"site":"https://a.example","up":false,"http_status":503,"at":"10:00"}').status).toBe(
      "ok",
    );
  });

  test("errors in JSON lines with an identity belong to the lines", () => {
    expect(shell("redis-cli LRANGE jobs 0 1", '{"id":1,"error":"Timeout"}\n{"id":2,"error":"OOM"}').status).toBe("ok");
  });
});
