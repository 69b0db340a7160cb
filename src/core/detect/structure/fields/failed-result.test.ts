import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../../../test/support/classify.ts";
import { textWindow } from "../../text/text-window.ts";
import { resultFields } from "./result-fields.ts";

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

describe("what a tool that acts says in its fields", () => {
  test("a refused state is a failure with the reason beside it", () => {
    const refused = '{"transferId":null,"state":"REJECTED","rejectReason":"daily allowance of 500 is used up"}';
    expect(answer("create_transfer", refused)).toMatchObject({
      status: "failed",
      message: "daily allowance of 500 is used up",
      evidence: [{ rule: "field-state" }],
    });
  });

  test("a state that the call asked for, or that is the action's own, is a success", () => {
    const args = { application: 4, decision: "rejected" };
    expect(answer("update_application", '{"application":4,"decision":"rejected"}', args).status).toBe("ok");
    expect(answer("decline_invitation", '{"invitation":9,"status":"declined"}').status).toBe("ok");
    expect(answer("get_application", '{"application":4,"decision":"rejected"}').status).toBe("ok");
  });

  test("an action that was not done is a failure", () => {
    const notBooked = '{"booked":false,"why":"the room is closed for repairs"}';
    expect(answer("book_room", notBooked)).toMatchObject({ status: "failed", evidence: [{ rule: "field-not-done" }] });
    expect(answer("share_folder", '{"requested":4,"shared":0,"skipped":4}').status).toBe("failed");
    expect(answer("create_user", '{"id":7,"name":"Ann","confirmed":false}').status).toBe("ok");
    expect(answer("update_rows", '{"updated":0,"unchanged":12}').status).toBe("ok");
  });

  test("a missing result with a reason is a failure, of a search it is an answer", () => {
    const missing = '{"pages":null,"note":"the document is encrypted, no text could be read"}';
    expect(answer("load_pages", missing)).toMatchObject({
      status: "failed",
      evidence: [{ rule: "field-no-result" }],
    });
    expect(answer("search_notes", '{"data":null,"note":"no notes match"}').status).toBe("ok");
    expect(answer("get_report", '{"error":null,"message":"Report 4 on errors: no changes since May."}').status).toBe(
      "ok",
    );
    expect(answer("get_order", '{"cancelled_at":null,"id":3,"reason":"gift"}').status).toBe("ok");
  });

  test("the reason of failed results is found in any of them, also inside an object", () => {
    const bare = '{"page":"/a","status":"rejected"}';
    const told = '{"page":"/c","status":"rejected","info":{"message":"the template is locked"}}';
    const outcome = answer("publish_pages", `{"pages":[${bare},${bare},${told}]}`);
    expect(outcome).toMatchObject({ status: "failed", message: "the template is locked" });
  });

  test("an action that waits for a person's approval is unknown", () => {
    expect(answer("enable_flag", '{"change":71,"status":"pending_approval"}').status).toBe("unknown");
  });

  test("lines with keys are read like fields", () => {
    const lines = "room: Maple\noutcome: declined\nreason: Maple is reserved for visitors";
    expect(answer("book_room", lines)).toMatchObject({
      status: "failed",
      message: "Maple is reserved for visitors",
    });
    expect(answer("book_room", "room: Maple\noutcome: confirmed\nnote: no parking at the door").status).toBe("ok");
  });
});

describe("errors that are not on top of an answer", () => {
  test("the error of the only object inside is the answer's", () => {
    expect(answer("run_panel", '{"panels":{"A":{"error":"dial tcp: connection refused","status":502}}}')).toMatchObject(
      {
        status: "failed",
        category: "network",
      },
    );
    expect(
      answer("query", '{"jobId":"j","status":{"errorResult":{"message":"Query exceeded its limit"}}}').status,
    ).toBe("failed");
  });

  test("a field of an error that comes first is no thing with an id", () => {
    const declined = '{"error":{"message":"Your card was declined.","order":{"id":"o1","status":"open"}}}';
    expect(answer("create_payment", declined)).toMatchObject({ status: "failed", message: "Your card was declined." });
  });

  test("the exception of a notebook, the signal of a sandbox and the code of gRPC are failures", () => {
    const raised = '{"output_type":"error","ename":"KeyError","evalue":"\'total\'"}';
    expect(answer("notebook_cell", raised)).toMatchObject({ status: "failed", message: "KeyError: 'total'" });
    expect(answer("sandbox", '{"run":{"output":"","code":null,"signal":"SIGKILL"}}').status).toBe("failed");
    expect(answer("upsert", '{"code":3,"message":"dimension 4 does not fit the index","details":[]}').status).toBe(
      "failed",
    );
  });

  test("errors of a thing with an identity, of a verdict and of a list are no failure of the call", () => {
    expect(
      answer(
        "fetch_message",
        '{"sid":"M1","status":"undelivered","to":"+4912","sent":"10:00","error_message":"handset is off"}',
      ).status,
    ).toBe("ok");
    expect(answer("validate_order", '{"valid":false,"errors":["the zip code is missing"]}').status).toBe("ok");
    expect(answer("list_jobs", '{"errors":[{"message":"disk was full at 3"}]}').status).not.toBe("unknown");
  });
});

test("arguments that are text are read like an object", () => {
  const shown = '{"error":{"message":"Your card was declined."},"status":402}';
  expect(answer("read_file", shown, '{"path":"fixtures/declined.json"}').status).toBe("ok");
  expect(answer("sandbox", "make: *** [all] Error 2", '{"command":"make all"}').status).toBe("failed");
});

test.each([
  ["find_trains", '{"status":false,"message":"Timetable could not be loaded"}', "Timetable could not be loaded"],
  ["run_worker", '{"worker":"w2","outcome":"error","message":"No slot was left on the host"}', "No slot was left"],
  ["check_iban", '{"actionSucceed":false,"errors":[{"message":"The registry is closed"}]}', "The registry is closed"],
  [
    "refundOrder",
    '{"data":{"refundOrder":{"refund":null,"refundOrderUserErrors":[{"message":"Already refunded"}]}},"extensions":{"cost":{"actual":4}}}',
    "Already refunded",
  ],
  [
    "send_payment",
    '{"messages":[{"category":"ERROR","text":"Sender account is dormant"}],"state":"RJCT"}',
    "Sender account is dormant",
  ],
  [
    "add_invoice",
    '{"Information":{"error":1,"message":"Artikeln saknas i registret","code":2001302}}',
    "Artikeln saknas i registret",
  ],
  [
    "plan_tour",
    '{"code":"NoTour","stops":[],"message":"Stop 4 cannot be reached before it closes"}',
    "Stop 4 cannot be reached",
  ],
])("a state, a flag or a list of errors under another name is a failure: %s", (tool, text, reason) => {
  expect(answer(tool, text)).toMatchObject({ status: "failed", message: expect.stringContaining(reason) });
});

test("the state of a thing, and a message beside a code of success, are no failure", () => {
  expect(answer("get_lamp", '{"name":"hall","status":false}').status).toBe("ok");
  expect(answer("get_report", '{"status":"ok","message":"Error report 12: closed."}').status).toBe("ok");
});

test("a status that a server calls its return code is no exit code", () => {
  expect(answer("track_parcel", '{"returnCode":"503","message":"Carrier is not available"}')).toMatchObject({
    status: "failed",
    category: "http_server_error",
    message: "Carrier is not available",
  });
  expect(answer("track_parcel", '{"returnCode":"503","message":"Carrier is not available"}').exitCode).toBeUndefined();
});

test("the sentence of an error explains more than its name, wherever it stands", () => {
  const text = '{"error":{"errors":[{"reason":"rangeEmpty","message":"The range of dates is empty."}],"code":400}}';
  expect(answer("create_event", text).message).toContain("The range of dates is empty.");
});

test("what a gateway calls a message error is explained by the response beside it", () => {
  const text = `{"error": "Message error...", "response": "{'message': 'Parameter zone is missing'}"}`;
  expect(answer("convert_time", text).message).toBe("Message error... Parameter zone is missing");
});

test.each([
  ["consult_case", '{"resultat":null,"motif":"Aucun dossier avec ce numéro"}', "Aucun dossier avec ce numéro"],
  ["reserve_room", '{"estado":"RECHAZADA","codigo":"R07","detalle":"La sala está ocupada"}', "La sala está ocupada"],
  [
    "unlock_account",
    '{"user":"svc","outcome":"unchanged","notices":[{"sev":"E","msg":"Ask the directory team"}]}',
    "Ask the directory team",
  ],
  [
    "rebook_flight",
    '{"messages":[{"lvl":"W","txt":"Light fare"},{"lvl":"E","txt":"Fare is not changeable"}]}',
    "Fare is not changeable",
  ],
  [
    "upgrade_release",
    '{"release":"kit","info":{"status":"failed","description":"Deadline exceeded"}}',
    "Deadline exceeded",
  ],
  [
    "delete_rule",
    '{"verdict":"deny","explanation":"Changed by the platform group only"}',
    "Changed by the platform group only",
  ],
  [
    "submit_claim",
    '{"claim":null,"faults":[{"faultId":"P3","faultText":"The policy lapsed in March"}]}',
    "The policy lapsed in March",
  ],
  ["adjust_stock", '{"sku":"A1","applied":false,"available":212}', "applied: false"],
  [
    "activate_sim",
    "<r><Code>3014</Code><ErrorText>Profile bound to another contract</ErrorText></r>",
    "Profile bound to another contract",
  ],
])("a failure in fields of other names, languages and forms is found: %s", (tool, text, reason) => {
  expect(answer(tool, text)).toMatchObject({ status: "failed", message: expect.stringContaining(reason) });
});

test("events, a dry run and what a reading tool was asked for are no failures", () => {
  const events = '{"data":[{"level":"info","message":"Started"},{"level":"error","message":"The job failed at last"}]}';
  expect(answer("list_events", events).status).toBe("ok");
  expect(answer("adjust_stock", '{"sku":"A1","applied":false,"dryRun":true}').status).toBe("ok");
  expect(
    answer("transaction_status", '{"status":"1","result":{"isError":"1","errDescription":"Out of gas"}}').status,
  ).toBe("ok");
});

test("the elements of XML are fields, those of a page are not", () => {
  expect(resultFields(textWindow("<r><a:Code>7</a:Code><Text>full</Text></r>"))).toEqual({ Code: 7, Text: "full" });
  expect(resultFields(textWindow("<HTML><B>full</B></HTML>"))).toBeUndefined();
  expect(resultFields(textWindow("<!DOCTYPE html><b>full</b>"))).toBeUndefined();
});
