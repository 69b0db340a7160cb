import { describe, expect, test } from "vitest";
import { classifyToolResult } from "./index.ts";

const shell = (command: string, content: string) =>
  classifyToolResult({ content }, { name: "bash", arguments: { command } });

const answer = (name: string, content: string, args: unknown = {}) =>
  classifyToolResult({ content }, { name, arguments: args });

describe("records that programs print of their own errors", () => {
  test("PowerShell's fields decide in any language, with their category", () => {
    const record = (category: string) =>
      `Remove-Item : Das Element "D:\\alt" ist gesperrt.\nIn Zeile:1 Zeichen:1\n+ Remove-Item D:\\alt\n    + CategoryInfo          : ${category}: (D:\\alt:String) [Remove-Item], IOException\n    + FullyQualifiedErrorId : RemoveItem,Microsoft.PowerShell.Commands.RemoveItemCommand`;
    expect(shell("Remove-Item D:\\alt", record("ResourceBusy"))).toMatchObject({
      status: "failed",
      category: "precondition",
    });
    expect(shell("Remove-Item D:\\alt", record("SecurityError"))).toMatchObject({ category: "permission_denied" });
  });

  test("a fatal error of git counts above its advice, in any language", () => {
    const text =
      "正克隆到 'lager'...\n致命错误：仓库 'https://code.example/lager.git/' 未找到\n\n请检查地址，\n然后再试一次。";
    expect(shell("git clone https://code.example/lager.git", text).status).toBe("failed");
  });

  test("an error that is drawn with its cause is a failure", () => {
    const text =
      "Resolving dependencies\n  × The lock file cannot be used with this project:\n  ╰─▶ It was written for another version\n  help: Write it again.";
    expect(shell("uv sync", text)).toMatchObject({
      status: "failed",
      message: expect.stringContaining("The lock file cannot be used"),
    });
  });

  test("the recap of ansible tells which hosts failed", () => {
    const recap = (failed: number, unreachable: number) =>
      `PLAY [db] ***\n\nTASK [Install] ***\nok: [db-1]\n\nPLAY RECAP ***\ndb-1 : ok=2  changed=0  unreachable=${unreachable}  failed=${failed}  skipped=0  rescued=0  ignored=1`;
    expect(shell("ansible-playbook db.yml", recap(0, 1)).status).toBe("failed");
    expect(shell("ansible-playbook db.yml", recap(2, 0)).status).toBe("failed");
    expect(shell("ansible-playbook db.yml", recap(0, 0)).status).toBe("ok");
  });

  test("a rejected hunk is a failure of patch", () => {
    expect(
      shell(
        "patch -p1 < a.diff",
        "patching file b.c\nHunk #3 FAILED at 12.\n1 out of 3 hunks FAILED -- saving rejects",
      ),
    ).toMatchObject({ status: "failed", category: "precondition" });
  });

  test("pytest that was interrupted did not pass, although all tests before did", () => {
    const text = "tests/test_a.py ...\n\n!!!!!!!!!!!!! KeyboardInterrupt !!!!!!!!!!!!!\n3 passed in 9.11s";
    expect(shell("pytest tests", text)).toMatchObject({ status: "failed", category: "cancelled" });
  });

  test("the summary counts in the answer of a tool that runs tests", () => {
    const text = "PASS src/a.test.js\nFAIL src/b.test.js\n  ✕ adds (3 ms)\n\nTests:       1 failed, 4 passed, 5 total";
    expect(answer("run_unit_tests", text)).toMatchObject({ status: "failed", category: "test_failure" });
  });
});

describe("the exit status that a command prints itself", () => {
  test("tells of a failure, which the status of the call hides", () => {
    expect(shell('psql -c "select 1/0"; echo "exit: $?"', "ERROR:  division by zero\nexit: 1")).toMatchObject({
      status: "ok",
      soft: true,
      message: "ERROR: division by zero",
    });
    expect(shell("./sync; echo exit=$?", "exit=3\nsync: nothing to read from")).toMatchObject({ soft: true });
  });

  test("tells of a success, whatever is printed above it", () => {
    expect(shell("./sync; echo exit=$?", "error: file 3 is locked, using its copy\nexit=0")).toMatchObject({
      status: "ok",
      soft: false,
    });
  });

  test("is an answer of some programs, and of another call if nothing else ran", () => {
    expect(shell("grep -q a b.txt; echo $?", "1")).toMatchObject({ soft: false });
    expect(shell("echo $?", "1")).toMatchObject({ status: "ok", soft: false });
  });
});

describe("sentences and warnings around an output", () => {
  test("a user who stopped the command cancelled it", () => {
    expect(shell("make", "The user stopped the command before it was done.\ncc a.c")).toMatchObject({
      status: "failed",
      category: "cancelled",
    });
  });

  test("a warning about the language is not the first line of the output", () => {
    const text =
      "bash: warning: setlocale: LC_ALL: cannot change locale (de_DE.UTF-8)\ndf: /mnt/x: No such file or directory\nready";
    expect(shell("df /mnt/x; echo ready", text)).toMatchObject({ soft: true, category: "not_found" });
  });
});

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

  test("a list of results that all failed is a failure, one of several is not", () => {
    const one = '{"page":"/a","success":false,"error":"connection refused"}';
    expect(answer("load_pages", `{"results":[${one}],"count":1}`)).toMatchObject({
      status: "failed",
      category: "network",
      message: "connection refused",
    });
    expect(answer("load_pages", `{"results":[${one},{"page":"/b","success":true}],"count":2}`).status).toBe("ok");
  });

  test("the reason of a verdict is no failure", () => {
    expect(answer("validate_vat", '{"valid": false, "reason": "wrong check digit"}').status).toBe("ok");
  });

  test("a status is the answer of a tool that checks another server", () => {
    expect(answer("check_site", '{"site":"https://a.example","up":false,"http_status":503,"at":"10:00"}').status).toBe(
      "ok",
    );
  });

  test("a message about limits outweighs the status", () => {
    expect(answer("list_commits", '{"message":"API rate limit exceeded for key 7","status":"403"}')).toMatchObject({
      category: "rate_limited",
    });
  });
});

describe("texts that only look like a failure", () => {
  test("a commit was made, whatever its hooks print", () => {
    const hook = "Running checks...\nwarning: unused import failed_once\nFound no errors to fix in 3 files";
    const made = `${hook}\n[main 4f0c2d1] Handle a failed upload\n 1 file changed, 4 insertions(+)`;
    expect(shell('git add -A && git commit -m "Handle a failed upload"', made).status).toBe("ok");
    expect(shell('git commit -m "x" && git push', `${made}\nfatal: no upstream branch`).status).toBe("failed");
  });

  test("a usage text that was asked for is help", () => {
    const text = "usage: pack.py [-h] [--strict] FILE\n\noptions:\n  --strict    fail on the first invalid row";
    expect(shell("python pack.py --help | head -5", text).status).toBe("ok");
    expect(shell("python pack.py", text).status).toBe("failed");
  });

  test("an exception that the program says it handled is no failure", () => {
    const trace =
      "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    import fast\nModuleNotFoundError: No module named 'fast'";
    expect(shell("python a.py", `${trace}\nfalling back to slow\ndone, 12 rows`).status).toBe("ok");
    expect(shell("python a.py", `${trace}\ndone`).status).toBe("failed");
  });

  test("a traceback that was logged is no failure of a program that goes on to the end", () => {
    const log = (last: string) =>
      `10:00:00 ERROR could not sync row 3\nTraceback (most recent call last):\n  File "a.py", line 3, in run\n    go()\nValueError: bad row\n${last}`;
    expect(shell("make sync", log("10:00:01 INFO all 12 jobs completed")).status).toBe("ok");
    expect(shell("make sync", log("10:00:01 INFO stopping")).status).toBe("failed");
  });

  test("what a page describes is its content", () => {
    expect(answer("WebFetch", "This document lists errors: `403 Forbidden` means a wrong key.").status).toBe("ok");
  });
});

describe("results that reveal nothing", () => {
  test.each([
    ["the note of a client", "make", "[output redirected to make.log]"],
    ["a mark at the end", "cmake --build b", "[ 10%] Building CXX object a.o\n... [output cut at 900 characters]"],
    ["an echo around a group", "(make; echo end) 2>&1 | tail -1", "end"],
    ["an echo before silent work", "echo start; npm test >/dev/null 2>&1", "start"],
    ["a service that goes on", "systemd-run --user ./sync.sh", "Running as unit: run-u7.service"],
    ["progress that goes on", "python fit.py | tail -1", "epoch 3/40: loss 0.7"],
    ["lines that head cut, blank ones included", "npm test 2>&1 | head -4", "\n> a@1.0.0 test\n> vitest\n"],
  ])("%s leaves the status open", (_, command, text) => {
    expect(shell(command, text).status).toBe("unknown");
  });

  test("progress that is complete is a result", () => {
    expect(shell("python fit.py | tail -1", "epoch 40/40: loss 0.2").status).toBe("ok");
  });

  test("an agent that was started has no answer yet", () => {
    expect(answer("Task", "Agent started. You will be told when it has finished.").status).toBe("unknown");
  });

  test("a call whose result was lost is incomplete", () => {
    expect(answer("wait_for", "Tool call has no result: the session ended first.")).toMatchObject({
      status: "failed",
      category: "incomplete",
    });
  });
});

describe("categories", () => {
  test.each([
    ["./a.ps1 : File a.ps1 cannot be loaded because running scripts is disabled on this system.", "permission_denied"],
    ["An error occurred (LimitExceededException) when calling the PutRule operation: too many rules", "rate_limited"],
    ["ERROR 1045 (28000): Zugriff verweigert für Benutzer 'lena'@'localhost' (verwendetes Passwort: JA)", "auth"],
    ["E: Could not get lock /var/lib/dpkg/lock. It is held by process 88 (apt)", "precondition"],
    ["Ledger/Parser.swift:9: Fatal error: Index out of range", "crash"],
  ])("%s", (text, category) => {
    expect(shell("./run", text)).toMatchObject({ status: "failed", category });
  });

  test("a missing field is invalid in other languages too", () => {
    expect(answer("send_invoice", 'Error: el campo "iva" es obligatorio')).toMatchObject({
      category: "invalid_arguments",
    });
    expect(answer("send_invoice", "Fehler: das Feld „ust“ ist erforderlich")).toMatchObject({
      category: "invalid_arguments",
    });
  });
});
