import { describe, expect, test } from "vitest";
import { classifyToolResult, formatStatusMessage } from "./index.ts";

const shell = (command: string, content: string) =>
  classifyToolResult({ content }, { name: "bash", arguments: { command } });

const answer = (name: string, content: string) => classifyToolResult({ content }, { name, arguments: {} });

describe("the message of a failed test", () => {
  test("names the test above pytest's assertion", () => {
    const text =
      "F\n=== FAILURES ===\n_________ test_rounding _________\n\n    def test_rounding():\n>       assert price(2) == 5\nE       assert 4 == 5\n\ntests/test_price.py:3: AssertionError\n=== 1 failed in 0.02s ===";
    expect(shell("pytest", text).message).toBe("test_rounding: assert price(2) == 5 assert 4 == 5");
  });

  test("names the test above jest's expectation, without jest's comment", () => {
    const text =
      "FAIL ./price.test.js\n  \u25cf price \u203a rounds up\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 5\n    Received: 4\n\nTests:       1 failed, 1 total";
    expect(shell("npx jest", text).message).toBe(
      "price \u203a rounds up: expect(received).toBe(expected) Expected: 5 Received: 4",
    );
  });

  test("contains the error of a failed TAP test, with both values", () => {
    const text =
      "TAP version 13\nnot ok 1 - rounds up\n  ---\n  duration_ms: 1.2\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n    \n    4 !== 5\n    \n  ...\n1..1\n# fail 1";
    expect(shell("node --test", text).message).toContain("rounds up: Expected values to be strictly equal: 4 !== 5");
  });

  test("names the test of mocha with the suites around it", () => {
    const text =
      "  Basket\n    when empty\n      1) has no total\n\n  0 passing (2ms)\n  1 failing\n\n  1) Basket\n       when empty\n         has no total:\n     AssertionError: expected 7 to equal 0\n      at Context.<anonymous> (basket.spec.js:4:9)\n";
    expect(shell("npx mocha", text).message).toContain("Basket when empty has no total: AssertionError: expected 7");
  });

  test("contains apostrophes and brackets of the name", () => {
    const text =
      "FAIL ./a.test.js\n  \u25cf doesn't lose items [cart]\n\n    expect(received).toBe(expected)\n\n    Expected: 5\n    Received: 4\n\nTests:       1 failed, 1 total";
    expect(shell("npx jest", text).message).toBe("doesn't lose items [cart]: Expected: 5 Received: 4");
  });

  test("names the test of RSpec without the code and the exception below it", () => {
    const text =
      "F\n\nFailures:\n\n  1) Basket adds tax\n     Failure/Error: raise Gone\n\n     RuntimeError:\n       basket is gone\n     # ./basket_spec.rb:4\n\n1 example, 1 failure\n";
    expect(shell("rspec", text).message).toBe("Basket adds tax: RuntimeError: basket is gone");
  });

  test("names the test below minitest's kind of failure", () => {
    const text =
      "# Running:\n\nF\n\n  1) Failure:\nBasketTest#test_total [basket_test.rb:9]:\nExpected: 7\n  Actual: 6\n\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n";
    expect(shell("ruby basket_test.rb", text).message).toBe("BasketTest#test_total: Expected: 7 Actual: 6");
  });

  test("names the test in a comment of prove", () => {
    const text =
      "\n#   Failed test 'total of two'\n#   at basket.t line 7.\n#          got: '6'\n#     expected: '7'\nbasket.t ..\nFailed 1/2 subtests\nResult: FAIL\n";
    expect(shell("prove basket.t", text).message).toContain("total of two: got: '6' expected: '7'");
  });

  test("names the test that cargo lists below a backtrace", () => {
    const text =
      "   4: core::panicking::assert_failed::<u8, u8>\n             at ./src/lib.rs:7:9\n\n\nfailures:\n    basket::tests::total\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`\n";
    expect(shell("cargo test 2>&1 | tail -9", text).message).toContain("basket::tests::total");
  });
});

describe("the message", () => {
  test("is the panic of Rust, not a frame of its backtrace", () => {
    const text =
      "\nthread 'main' (812) panicked at src/main.rs:4:20:\nattempt to divide by zero\nstack backtrace:\n   0: __rustc::rust_begin_unwind\n   1: core::panicking::panic_fmt\n             at /rustc/1/library/core/src/panicking.rs:80:14\n   2: core::panicking::panic_const::panic_const_div_by_zero\n";
    expect(shell("cargo run -q", text)).toMatchObject({
      category: "crash",
      message: "thread 'main' (812) panicked at src/main.rs:4:20: attempt to divide by zero",
    });
  });

  test("is the first sentence of a list of errors", () => {
    expect(answer("get_ticket", '{"errorMessages": ["Ticket was archived"], "errors": {}}').message).toBe(
      "Ticket was archived",
    );
  });

  test("is the error of a linter's table, not a warning above it", () => {
    const text =
      "site.yml\n  1:1       warning  missing start of document  (start)\n  3:9       error    duplicate key  (keys)\n";
    expect(shell("yamllint site.yml", text).message).toBe("3:9 error duplicate key (keys) (site.yml)");
  });

  test("does not contain a linter's pointer to the line above", () => {
    const text = "Exit code: 1\n\nIn run.sh line 4:\ncd $dir\n^-----^ SC2164 (error): Use cd with a fallback.\n";
    expect(shell("shellcheck run.sh", text).message).toBe("SC2164 (error): Use cd with a fallback. (run.sh)");
  });

  test("is the conflict that git names in a script without capitals", () => {
    expect(shell("git merge x", "自动合并 a.txt\n冲突（添加）：合并冲突于 a.txt\n自动合并失败\n").message).toBe(
      "冲突（添加）：合并冲突于 a.txt",
    );
  });

  test("starts at its last label if it is too long to be shown whole", () => {
    const long = `Exit code: 2\nclient: error: connection to server at "db.example" (${"10.".repeat(20)}), port 5432 failed: FATAL:  role "mira" does not exist`;
    expect(formatStatusMessage(shell("client", long), "bash")).toContain('- FATAL: role "mira" does not exist');
  });

  test("contains the description beside the name of an error", () => {
    expect(answer("get_profile", '{"error": "expired_link", "error_description": "Ask for a new one"}').message).toBe(
      "expired_link: Ask for a new one",
    );
  });

  test("contains the reason in the body below the headers of a response", () => {
    const text =
      'HTTP/1.1 503 Service Unavailable\r\nServer: x\r\nContent-Type: application/json\r\n\r\n{"error": {"message": "The queue is full"}}';
    expect(shell("curl -si http://a.example/", text).message).toBe(
      "HTTP/1.1 503 Service Unavailable: The queue is full",
    );
  });

  test("is the first line of a tool's answer, and the last one of a program's output", () => {
    expect(classifyToolResult({ content: "No room left\nRoom: 3", isError: true }, { name: "book_room" }).message).toBe(
      "No room left",
    );
    expect(shell("./pack.sh", "packing 3 files\nthe lid does not close\n\nExit code: 1").message).toBe(
      "the lid does not close",
    );
  });

  test("is no indented example below the sentence", () => {
    expect(shell("vcs pull", "This branch follows no other.\n\n    vcs follow origin\n\n[exit code: 1]").message).toBe(
      "This branch follows no other.",
    );
  });

  test("is shown without the wrappers around its reason if it is too long", () => {
    const message = `MCP error -32602: Input validation error: Invalid arguments for tool resize: ${"w".repeat(80)} at width`;
    const outcome = { ...answer("resize", message), status: "failed" as const, category: "invalid_arguments" as const };
    expect(formatStatusMessage({ ...outcome, message }, "resize")).toBe(
      `[INVALID_ARGUMENTS] resize - ${"w".repeat(80)} at width`,
    );
  });

  test("of a group of exceptions is its head, not a member", () => {
    const text =
      "  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: two shards broke (2 sub-exceptions)\n  +-+---- 1 ----\n    | ValueError: 1\n    +---- 2 ----\n    | TypeError: 2\n    +----\n\nExit code: 1";
    expect(shell("python3 a.py", text).message).toBe("ExceptionGroup: two shards broke (2 sub-exceptions)");
  });
});

describe("the status", () => {
  test("is failed if the last program reports a system error, whatever it prints below", () => {
    expect(shell("cp a /mnt/b", "cp: error writing '/mnt/b': No space left on device\n3 blocks\n0 left")).toMatchObject(
      { status: "failed", evidence: [{ rule: "own-complaint" }] },
    );
  });

  test("is ok if a program before the last one reports a system error", () => {
    expect(
      shell("rm old.txt; cp -v a b", "rm: cannot remove 'old.txt': No such file or directory\n'a' -> 'b'").status,
    ).toBe("ok");
  });

  test("is unknown if all output went to a file and only an echo printed something", () => {
    expect(shell("make all > build.log 2>&1; echo over", "over").status).toBe("unknown");
    expect(shell("./serve &> serve.log & echo started", "started").status).toBe("unknown");
    expect(shell("make all 2>&1; echo over", "cc -o a a.c\nover").status).toBe("ok");
  });

  test("is unknown while a background command is running", () => {
    expect(answer("BashOutput", "<status>running</status>\n<stdout>\nlistening\n</stdout>").status).toBe("unknown");
  });

  test("is ok and not soft if a single program printed a traceback and exited with 0", () => {
    const text =
      'Exit code: 0\nTraceback (most recent call last):\n  File "a.py", line 2, in <module>\nKeyError: 3\nused the default';
    expect(shell("python3 a.py", text)).toMatchObject({ status: "ok", soft: false });
    expect(shell("python3 a.py; ls", text)).toMatchObject({ status: "ok", soft: true });
  });

  test("is ok for a single hit of a search, whatever the line contains", () => {
    expect(shell("grep -rn fatal src; true", "src/stop.sh:7:echo fatal: cannot go on").status).toBe("ok");
  });

  test("is ok for a line that starts by reporting success", () => {
    expect(answer("KillShell", "Successfully killed shell 12 (npm start)").status).toBe("ok");
    expect(answer("KillShell", "Successfully found shell 12, but failed to kill it: permission denied").status).toBe(
      "failed",
    );
  });

  test("is failed and the category cancelled if the user interrupted the request", () => {
    expect(shell("pytest", "tests/test_a.py ...\n[Request interrupted by user]")).toMatchObject({
      status: "failed",
      category: "cancelled",
    });
  });

  test("is failed for a list of problems that is labeled as an error", () => {
    const text = 'Error: [\n  {\n    "code": "too_small",\n    "path": ["rooms"],\n    "message": "At least 1"\n  }\n]';
    expect(classifyToolResult({ content: text }, { name: "start_process", arguments: {} }).status).toBe("failed");
  });

  test("is failed for an error below the heading of an answer", () => {
    expect(answer("browser_click", "### Result\nError: locator.click: the element is covered").status).toBe("failed");
  });
});

describe("a program without an exit code", () => {
  test.each([
    ["es", "no se puede abrir el mapa de salas"],
    ["fr", "impossible d'ouvrir le plan des salles"],
    ["de", "Der Raumplan konnte nicht gelesen werden"],
    ["it", "impossibile leggere la piantina delle sale"],
    ["pt", "n\u00e3o foi poss\u00edvel abrir o mapa das salas"],
    [
      "ru",
      "\u043d\u0435 \u0443\u0434\u0430\u043b\u043e\u0441\u044c \u043e\u0442\u043a\u0440\u044b\u0442\u044c \u0444\u0430\u0439\u043b plan.txt",
    ],
    ["ja", "plan.txt \u3092\u958b\u3051\u307e\u305b\u3093\u3067\u3057\u305f"],
  ])("fails if its only line reports a failure in %s", (_language, line) => {
    expect(shell("roomplan plan.txt", line).status).toBe("failed");
  });

  test.each([
    ["en", "roomplan: reading 12 rooms"],
    ["es", "roomplan: leyendo 12 salas"],
    ["fr", "roomplan: lecture de 12 salles"],
    ["de", "roomplan: 12 R\u00e4ume werden gelesen"],
    ["it", "roomplan: lettura di 12 sale"],
  ])("does not fail because it reports progress in its own name in %s", (_language, line) => {
    expect(shell("roomplan plan.txt", line).status).not.toBe("failed");
  });
});

describe("a result of a command", () => {
  test("that shows the log of another program is no failure, whatever its last line says", () => {
    const text = 'level=error msg="queue is gone"\nlevel=error msg="last try"\npanic: no queue left\n';
    expect(shell("kubectl logs mailer-7 --tail=3", text)).not.toMatchObject({ status: "failed" });
  });

  test("that shows a log failed if the command itself complains", () => {
    expect(shell("kubectl logs mailer-8", 'Error from server (NotFound): pods "mailer-8" not found').status).toBe(
      "failed",
    );
  });

  test("that builds an image is a failed build, unless a file is missing", () => {
    const step =
      "#5 3.2 ERROR: Could not find a version that satisfies the requirement nump==1 (from versions: none)\n";
    const end =
      'ERROR: failed to solve: process "/bin/sh -c pip install nump" did not complete successfully: exit code: 1\n';
    expect(shell("docker build -t mailer .", step + end).category).toBe("build_failure");
    expect(
      shell("docker build .", "ERROR: failed to read dockerfile: open Dockerfile: no such file or directory\n")
        .category,
    ).toBe("not_found");
  });

  test("that perl could not compile is an error, not only an exit code", () => {
    const text =
      'Exit code: 255\nGlobal symbol "$sum" requires explicit package name (did you forget to declare "my $sum"?) at a.pl line 3.\nExecution of a.pl aborted due to compilation errors.\n';
    expect(shell("perl a.pl", text).category).toBe("error");
  });
});

test("a patch that does not fit is a failed precondition", () => {
  expect(
    answer("apply_patch", "apply_patch verification failed: Failed to find expected lines in a.py:\n  x = 1"),
  ).toMatchObject({ status: "failed", category: "precondition" });
});

describe("a result that hides what its program did", () => {
  test("is unknown if the program's output is not shown", () => {
    expect(shell("./backup.sh >/dev/null 2>&1; date +%F", "2026-03-01").status).toBe("unknown");
    expect(shell("(cd a && make) > /tmp/a.log 2>&1; wc -l < /tmp/a.log", "40").status).toBe("unknown");
    expect(shell("make > /tmp/a.log 2>&1; tail -3 /tmp/a.log", "cc a.c\nld a.o").status).toBe("ok");
    expect(shell("make > /tmp/a.log 2>&1 && echo built", "built").status).toBe("ok");
  });

  test("is unknown if head cut off the end of a test run", () => {
    expect(shell("pytest -q | head -2", "....\n....").status).toBe("unknown");
    expect(shell("pytest -q | head -20", "....\n4 passed in 0.1s").status).toBe("ok");
    expect(shell("cat a.py | head -2", "import os\nimport sys").status).toBe("ok");
  });

  test("is unknown if the process goes on in the background, in any language", () => {
    expect(shell("./import.sh", "Der Befehl läuft im Hintergrund weiter (PID 12).").status).toBe("unknown");
    expect(shell("npm run dev &", "[1] 4211").status).toBe("unknown");
  });
});

describe("an agent without an answer", () => {
  test("failed if the client stopped it", () => {
    expect(answer("Task", "The agent ran out of turns before it could answer.").status).toBe("failed");
    expect(answer("Task", "Fixed two errors; all tests pass.").status).toBe("ok");
  });
});

describe("counts without a failure", () => {
  test.each(["10 tests, 0 failures", "Prüfungen: 18, Fehler: 0", "проверок: 4, ошибок: 0", "errors=0"])(
    "%s is ok, also below a logged error",
    (line) => {
      expect(shell("./check", `[error] worker 3 stopped\n${line}`).status).toBe("ok");
    },
  );

  test("are not overlooked beside others", () => {
    expect(shell("pytest", "F.\n=== 1 failed, 3 passed, 0 errors in 0.1s ===").status).toBe("failed");
    expect(shell("ruff check --fix", "Found 3 errors (3 fixed, 0 remaining).").status).toBe("ok");
  });
});

test("a loop that waits for success is judged by its last try", () => {
  const command = "until curl -fsS localhost:80/up; do sleep 1; done";
  const failed = "curl: (7) Failed to connect to localhost port 80: Connection refused";
  expect(shell(command, `${failed}\n${failed}\nup`).status).toBe("ok");
  expect(shell(command, `${failed}\n${failed}`).status).toBe("failed");
});

test("errors in JSON lines with an identity belong to the lines", () => {
  expect(shell("redis-cli LRANGE jobs 0 1", '{"id":1,"error":"Timeout"}\n{"id":2,"error":"OOM"}').status).toBe("ok");
});

test("a list of validation errors below a label names the argument", () => {
  const list = '[\n  {\n    "code": "invalid_type",\n    "path": ["city"],\n    "message": "Required"\n  }\n]';
  expect(answer("get_weather", `MCP error -32602: Invalid arguments: ${list}`)).toMatchObject({
    category: "invalid_arguments",
    message: "MCP error -32602: Invalid arguments: city: Required",
  });
});

test("a failure without a reason of a tool that acts is failed", () => {
  expect(answer("publish_page", "Publishing failed.")).toMatchObject({ status: "failed", category: "failed" });
  expect(answer("get_payment", "Payment failed.").status).not.toBe("failed");
});

test("a status behind an address is that of the server", () => {
  expect(
    answer("create_page", "failed to create page: POST https://a.example/pages: 422 title is too long"),
  ).toMatchObject({ category: "http_client_error" });
});

test("Maven's failed tests are named, not only the failed build", () => {
  const text =
    "[ERROR] Tests run: 6, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! -- in a.CartTest\n[ERROR] a.CartTest.addsTax -- Time elapsed: 0.01 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <5> but was: <4>\n[INFO] BUILD FAILURE";
  expect(shell("mvn test", text)).toMatchObject({
    category: "test_failure",
    message: "addsTax: org.opentest4j.AssertionFailedError: expected: <5> but was: <4>",
  });
});

test("Terraform's sentence below the title is part of the message", () => {
  const text =
    '\u2577\n\u2502 Error: Unsupported argument\n\u2502 \n\u2502   on a.tf line 9:\n\u2502    9:   size = 3\n\u2502 \n\u2502 An argument named "size" is not expected here.\n\u2575';
  expect(shell("terraform plan", text).message).toContain('An argument named "size" is not expected here.');
});

describe("a reason that only lines or fields beside the message name", () => {
  test("is the innermost cause that Gradle draws", () => {
    const text =
      "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':jar'.\n> Could not resolve all files.\n   > Could not find org.acme:mail:9.\n     Searched in:\n       - https://repo.example\n\n* Try:\n> Run with --scan\n\nBUILD FAILED in 1s";
    expect(shell("gradle jar", text).message).toBe("Execution failed for task ':jar': Could not find org.acme:mail:9.");
  });

  test("is the innermost cause that Rust numbers, with what was tried", () => {
    const text =
      "Error: reading rates.toml\n\nCaused by:\n    0: opening the file\n    1: No such file or directory (os error 2)";
    expect(shell("./rates", text).message).toBe("Error: reading rates.toml: No such file or directory (os error 2)");
  });

  test("is what the test expected, below other lines", () => {
    const text =
      '  1) [chromium] a.spec.ts:3:1 shows the name\n\n    Error: expect(locator).toHaveText(expected) failed\n\n    Locator: heading\n    Expected string: "Ada"\n    Received string: "Bob"\n\n  1 failed';
    expect(shell("npx playwright test", text).message).toContain('Expected string: "Ada" Received string: "Bob"');
  });

  test("is the first change of a diff below an assertion", () => {
    const text =
      "FAIL ./a.test.js\n  \u25cf reads the user\n\n    expect(received).toEqual(expected) // deep equality\n\n    - Expected  - 1\n    + Received  + 1\n\n      Object {\n    -   age: 7,\n    +   age: 8,\n      }\n\nTests: 1 failed, 1 total";
    expect(shell("npx jest", text).message).toBe(
      "reads the user: expect(received).toEqual(expected) - age: 7, + age: 8,",
    );
  });

  test("is the field of a model and its error", () => {
    const text =
      "1 validation error for Trip\nseats\n  Input should be a valid integer [type=int_parsing, input_value='x']\n    For further information visit https://errors.example";
    expect(answer("book_trip", text).message).toBe(
      "1 validation error for Trip: seats: Input should be a valid integer",
    );
  });

  test("is in the JSON below the status", () => {
    const text =
      'Error: Request failed with status code 400\n{"errorMessages":[],"errors":{"team":"Team is required."}}';
    expect(answer("create_issue", text).message).toBe(
      "Error: Request failed with status code 400: team: Team is required.",
    );
  });

  test("is not the rule below a summary", () => {
    const text =
      "#   Failed test 'sum'\n#   at t/a.t line 2.\n#          got: '7'\n#     expected: '9'\n\nTest Summary Report\n-------------------\nt/a.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)\nResult: FAIL";
    expect(shell("prove t", text).message).toBe("sum: got: '7' expected: '9'");
  });

  test("is in an object behind the status, also of Python", () => {
    expect(
      answer("complete_text", "Error code: 401 - {'error': {'message': 'Incorrect key ab12', 'type': 'auth'}}").message,
    ).toBe("Error code: 401 - Incorrect key ab12");
  });

  test("is not what an object repeats", () => {
    const text =
      'Failed to create page: Validation Error - {"errors":[{"message":"Validation Error","detail":"title is too long"}]}';
    expect(answer("create_page", text).message).toBe("Failed to create page: Validation Error - title is too long");
  });

  test("is the sentence below the place in a file of Terraform, without a frame around it", () => {
    const text =
      'Error: Unsupported argument\n\n  on a.tf line 9, in resource "x" "y":\n   9:   size = 3\n\nAn argument named "size" is not expected here.';
    expect(shell("terraform validate", text).message).toContain('An argument named "size" is not expected here.');
  });

  test("is the sentence of PowerShell, not the place above the code", () => {
    const text =
      "Stop-Service: /jobs/a.ps1:1\nLine |\n   1 |  Stop-Service -Name mailer\n     |  ~~~~~~~~~~~~~~~~~~~~~~~~~~\n     | Cannot find any service with service name 'mailer'.";
    expect(shell("pwsh a.ps1", text)).toMatchObject({
      category: "not_found",
      message: "Cannot find any service with service name 'mailer'.",
    });
  });

  test("is the error that a server logs before it shuts down", () => {
    const text =
      "INFO:     Started server process [7]\nERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use\nINFO:     Application shutdown complete.";
    expect(shell("uvicorn app:app", text).message).toContain("address already in use");
  });

  test("is what node's test compared, once", () => {
    const text =
      "\u2716 failing tests:\n\n\u2716 sorts (1.4ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  + actual - expected\n  \n  + 'b'\n  - 'a'\n  \n      at TestContext.<anonymous> (/w/a.test.js:3:10)\n\u2139 fail 1";
    expect(shell("node --test", text).message).toContain("strictly equal: + 'b' - 'a'");
  });

  test("is in a list of errors, whose code names the category", () => {
    const text =
      '{"errors":[{"message":"Cannot query field \\"x\\".","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}';
    expect(answer("graphql", text)).toMatchObject({
      category: "invalid_arguments",
      message: 'Cannot query field "x".',
    });
  });
});
