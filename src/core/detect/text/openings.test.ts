import { describe, expect, test } from "vitest";
import { answer } from "../../../../test/support/classify.ts";
import { classifyToolResult } from "../index.ts";

describe("answers that begin with the failure", () => {
  test("an answer that begins with an error without a colon is a failure, unless it continues as prose", () => {
    expect(answer("send_invoice", "Error sending the invoice via mail.example:587\nno route").status).toBe("failed");
    expect(answer("create_chat", "Error code: 401 - the key is not valid").status).toBe("failed");
    expect(answer("fetch_page", "Error handling in our product is described below.").status).toBe("ok");
  });

  test("an answer that begins with the status of a request is a failure if the status is one", () => {
    expect(answer("charge_card", 'Status: 422 Unprocessable Entity\nBody: {"amount":["too small"]}').status).toBe(
      "failed",
    );
    expect(answer("run_query", "Response not successful: Received status code 504\n<html>late</html>").status).toBe(
      "failed",
    );
    expect(answer("charge_card", 'Status: 200 OK\nBody: {"id":7}').status).toBe("ok");
  });

  test("an error below the heading of an answer is a failure", () => {
    expect(answer("browser_click", "### Result\nError: locator.click: the element is covered").status).toBe("failed");
  });

  test("a list of problems that is labeled as an error is a failure", () => {
    const text = 'Error: [\n  {\n    "code": "too_small",\n    "path": ["rooms"],\n    "message": "At least 1"\n  }\n]';
    expect(classifyToolResult({ content: text }, { name: "start_process", arguments: {} }).status).toBe("failed");
  });

  test("a database names its errors in capitals, or by a status", () => {
    expect(answer("run_sql", 'Binder Error: Column "agee" is not in the table').status).toBe("failed");
    expect(answer("run_sql", "400 Unrecognized name: citty at [1:9]").status).toBe("failed");
    expect(answer("run_sql", "412 rows in set").status).toBe("ok");
  });

  test("an error in the frame that Terraform draws is a failure", () => {
    const text = "\u2577\n\u2502 Error: Invalid count argument\n\u2502 \n\u2502   on main.tf line 4\n\u2575";
    expect(answer("terraform_plan", text)).toMatchObject({
      status: "failed",
      message: "Error: Invalid count argument",
    });
  });

  test("a line that starts like an error is one for tools that explain, but not for those that render words", () => {
    expect(answer("getDiagnostics", "Error: the language server has not started").status).toBe("failed");
    expect(answer("translate", "Error: file not found").status).not.toBe("failed");
  });

  test.each(["weather service down", "Payment gateway offline.", "upstream outage"])(
    "a result that only names what is out of order is a failure: %s",
    (text) => {
      expect(answer("get_forecast", text)).toMatchObject({ status: "failed", category: "network", message: text });
      expect(answer("service_status", text).status).toBe("ok");
    },
  );

  test("a tool that acts and says that nothing of it was done has failed", () => {
    expect(answer("delete_share", "Confirm first: 12 files will go. No files were removed.").status).toBe("failed");
    expect(answer("delete_share", "Removed 12 files. No files were skipped.").status).toBe("ok");
  });

  test("what else is down or offline is no outage", () => {
    expect(answer("get_forecast", "Temperature down").status).toBe("ok");
    expect(answer("get_lamp", "Kitchen lamp: offline since Monday").status).toBe("ok");
  });

  test("a tool that acts and says at its end that the action was not done has failed", () => {
    expect(answer("deploy_service", "A freeze is active until Monday. Deployment not started.").status).toBe("failed");
  });
});
