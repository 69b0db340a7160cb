import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../test/support/classify.ts";
import { classifyToolResult, formatStatusMessage } from "./index.ts";

describe("the part of the output that becomes the message", () => {
  test("the message is the first line of a tool's answer, and the last line of a program's output", () => {
    expect(classifyToolResult({ content: "No room left\nRoom: 3", isError: true }, { name: "book_room" }).message).toBe(
      "No room left",
    );
    expect(shell("./pack.sh", "packing 3 files\nthe lid does not close\n\nExit code: 1").message).toBe(
      "the lid does not close",
    );
  });

  test("the message is the sentence above an indented example", () => {
    expect(shell("vcs pull", "This branch follows no other.\n\n    vcs follow origin\n\n[exit code: 1]").message).toBe(
      "This branch follows no other.",
    );
  });

  test("the message is the panic of Rust, not a frame of its backtrace", () => {
    const text =
      "\nthread 'main' (812) panicked at src/main.rs:4:20:\nattempt to divide by zero\nstack backtrace:\n   0: __rustc::rust_begin_unwind\n   1: core::panicking::panic_fmt\n             at /rustc/1/library/core/src/panicking.rs:80:14\n   2: core::panicking::panic_const::panic_const_div_by_zero\n";
    expect(shell("cargo run -q", text)).toMatchObject({
      category: "crash",
      message: "thread 'main' (812) panicked at src/main.rs:4:20: attempt to divide by zero",
    });
  });

  test("the message is the head of a group of exceptions, not a member", () => {
    const text =
      "  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: two shards broke (2 sub-exceptions)\n  +-+---- 1 ----\n    | ValueError: 1\n    +---- 2 ----\n    | TypeError: 2\n    +----\n\nExit code: 1";
    expect(shell("python3 a.py", text).message).toBe("ExceptionGroup: two shards broke (2 sub-exceptions)");
  });

  test("the message is the error in a linter's table, not a warning above it", () => {
    const text =
      "site.yml\n  1:1       warning  missing start of document  (start)\n  3:9       error    duplicate key  (keys)\n";
    expect(shell("yamllint site.yml", text).message).toBe("3:9 error duplicate key (keys) (site.yml)");
  });

  test("the message does not contain a linter's pointer to the line above", () => {
    const text = "Exit code: 1\n\nIn run.sh line 4:\ncd $dir\n^-----^ SC2164 (error): Use cd with a fallback.\n";
    expect(shell("shellcheck run.sh", text).message).toBe("SC2164 (error): Use cd with a fallback. (run.sh)");
  });

  test("the message is the conflict that git names in a script without capitals", () => {
    expect(shell("git merge x", "自动合并 a.txt\n冲突（添加）：合并冲突于 a.txt\n自动合并失败\n").message).toBe(
      "冲突（添加）：合并冲突于 a.txt",
    );
  });

  test("the message names the reason why a server refused a push, not the number of its log", () => {
    const text =
      "remote: error: Trace: 91ab77c0\nremote: error: See https://git.example/limits for more.\nremote: error: File a.bin is 140 MB; the limit of this server is 100 MB\nTo git.example:a/b.git\n ! [remote rejected] main -> main (pre-receive hook declined)\nerror: failed to push some refs to 'git.example:a/b.git'";
    expect(shell("git push", text).message).toContain("File a.bin is 140 MB");
  });

  test("the message is the sentence of PowerShell, not the place above the code", () => {
    const text =
      "Stop-Service: /jobs/a.ps1:1\nLine |\n   1 |  Stop-Service -Name mailer\n     |  ~~~~~~~~~~~~~~~~~~~~~~~~~~\n     | Cannot find any service with service name 'mailer'.";
    expect(shell("pwsh a.ps1", text)).toMatchObject({
      category: "not_found",
      message: "Cannot find any service with service name 'mailer'.",
    });
  });

  test("the message is the error that a server logs before it shuts down", () => {
    const text =
      "INFO:     Started server process [7]\nERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use\nINFO:     Application shutdown complete.";
    expect(shell("uvicorn app:app", text).message).toContain("address already in use");
  });
});

describe("a reason on another line than the message", () => {
  test("the message contains the innermost cause that Gradle draws", () => {
    const text =
      "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':jar'.\n> Could not resolve all files.\n   > Could not find org.acme:mail:9.\n     Searched in:\n       - https://repo.example\n\n* Try:\n> Run with --scan\n\nBUILD FAILED in 1s";
    expect(shell("gradle jar", text).message).toBe("Execution failed for task ':jar': Could not find org.acme:mail:9.");
  });

  test("the message contains the innermost cause that Rust numbers, with what was tried", () => {
    const text =
      "Error: reading rates.toml\n\nCaused by:\n    0: opening the file\n    1: No such file or directory (os error 2)";
    expect(shell("./rates", text).message).toBe("Error: reading rates.toml: No such file or directory (os error 2)");
  });

  test("the message contains Terraform's sentence below the framed title", () => {
    const text =
      '\u2577\n\u2502 Error: Unsupported argument\n\u2502 \n\u2502   on a.tf line 9:\n\u2502    9:   size = 3\n\u2502 \n\u2502 An argument named "size" is not expected here.\n\u2575';
    expect(shell("terraform plan", text).message).toContain('An argument named "size" is not expected here.');
  });

  test("the message contains Terraform's sentence below the place in a file, also without a frame", () => {
    const text =
      'Error: Unsupported argument\n\n  on a.tf line 9, in resource "x" "y":\n   9:   size = 3\n\nAn argument named "size" is not expected here.';
    expect(shell("terraform validate", text).message).toContain('An argument named "size" is not expected here.');
  });

  test("the message contains the field of a model and its error", () => {
    const text =
      "1 validation error for Trip\nseats\n  Input should be a valid integer [type=int_parsing, input_value='x']\n    For further information visit https://errors.example";
    expect(answer("book_trip", text).message).toBe(
      "1 validation error for Trip: seats: Input should be a valid integer",
    );
  });
});

describe("a reason in JSON", () => {
  test("the message is the first sentence in a list of errors", () => {
    expect(answer("get_ticket", '{"errorMessages": ["Ticket was archived"], "errors": {}}').message).toBe(
      "Ticket was archived",
    );
  });

  test("the message comes from a list of errors, whose code names the category", () => {
    const text =
      '{"errors":[{"message":"Cannot query field \\"x\\".","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}';
    expect(answer("graphql", text)).toMatchObject({
      category: "invalid_arguments",
      message: 'Cannot query field "x".',
    });
  });

  test("the message names the argument in a list of validation errors below a label", () => {
    const list = '[\n  {\n    "code": "invalid_type",\n    "path": ["city"],\n    "message": "Required"\n  }\n]';
    expect(answer("get_weather", `MCP error -32602: Invalid arguments: ${list}`)).toMatchObject({
      category: "invalid_arguments",
      message: "MCP error -32602: Invalid arguments: city: Required",
    });
  });

  test("the message contains the description beside the name of an error", () => {
    expect(answer("get_profile", '{"error": "expired_link", "error_description": "Ask for a new one"}').message).toBe(
      "expired_link: Ask for a new one",
    );
  });

  test("the message contains the reason in the body below the headers of a response", () => {
    const text =
      'HTTP/1.1 503 Service Unavailable\r\nServer: x\r\nContent-Type: application/json\r\n\r\n{"error": {"message": "The queue is full"}}';
    expect(shell("curl -si http://a.example/", text).message).toBe(
      "HTTP/1.1 503 Service Unavailable: The queue is full",
    );
  });

  test("the message contains the reason in the JSON below the status", () => {
    const text =
      'Error: Request failed with status code 400\n{"errorMessages":[],"errors":{"team":"Team is required."}}';
    expect(answer("create_issue", text).message).toBe(
      "Error: Request failed with status code 400: team: Team is required.",
    );
  });

  test("the message contains the reason in an object of Python behind the status", () => {
    expect(
      answer("complete_text", "Error code: 401 - {'error': {'message': 'Incorrect key ab12', 'type': 'auth'}}").message,
    ).toBe("Error code: 401 - Incorrect key ab12");
  });

  test("the message contains what an object adds to the sentence, not what it repeats", () => {
    const text =
      'Failed to create page: Validation Error - {"errors":[{"message":"Validation Error","detail":"title is too long"}]}';
    expect(answer("create_page", text).message).toBe("Failed to create page: Validation Error - title is too long");
  });

  test("the message contains the field that it quotes", () => {
    const text = '{"errors":[{"message":"Field \'owner\' does not exist on type \'Repo\'","path":["query","owner"]}]}';
    expect(answer("graphql", text).message).toContain("Field 'owner' does not exist on type 'Repo'");
  });
});

describe("the message of a result in the words of a client or a server", () => {
  test("the message is the exception inside the tag of a client, however long the output is", () => {
    const frames = '  File "/srv/app/orders.py", line 9, in load\n    load(order)\n'.repeat(12);
    const text = `<error>order 1\norder 2\nTraceback (most recent call last):\n${frames}orders.Missing: order 3 has no rows</error>`;
    expect(shell("python3 orders.py", text).message).toContain("order 3 has no rows");
  });

  test("the message is what the program printed above the remarks of a client", () => {
    const text =
      "lua: (command line):1: unexpected symbol near '}'\n[The command completed with exit code 1.]\n[Current working directory: /srv/app]\n[Python interpreter: /usr/bin/python3]";
    expect(shell("lua -e '}'", text).message).toContain("unexpected symbol near '}'");
  });

  test("the message adds the sentence beside the title of an error, but no other error", () => {
    const text = '{"error": "Payment Required", "message": "The plan allows 3 seats, and 4 are taken"}';
    expect(answer("add_seat", text).message).toBe("Payment Required: The plan allows 3 seats, and 4 are taken");
    const list = '{"message":"Validation Failed","errors":[{"message":"No rows between a and b"}]}';
    expect(answer("create_view", list).message).toContain("No rows between a and b");
  });
});

describe("a message that is too long to be shown whole", () => {
  test("the shown message starts at its last label", () => {
    const long = `Exit code: 2\nclient: error: connection to server at "db.example" (${"10.".repeat(20)}), port 5432 failed: FATAL:  role "mira" does not exist`;
    expect(formatStatusMessage(shell("client", long), "bash")).toContain('- FATAL: role "mira" does not exist');
  });

  test("the shown message omits the wrappers around its reason", () => {
    const message = `MCP error -32602: Input validation error: Invalid arguments for tool resize: ${"w".repeat(80)} at width`;
    const outcome = { ...answer("resize", message), status: "failed" as const, category: "invalid_arguments" as const };
    expect(formatStatusMessage({ ...outcome, message }, "resize")).toBe(
      `[INVALID_ARGUMENTS] resize - ${"w".repeat(80)} at width`,
    );
  });

  test.each([
    [
      "the error that a sentence introduces",
      `Task upload failed on 3 of 4 hosts, after all retries of the play were used. The error was: 'port' is undefined. ${"More about it. ".repeat(8)}`,
      "- 'port' is undefined",
    ],
    [
      "the place in a statement of SQL",
      "You have an error in your SQL syntax; check the manual that corresponds to your server version for the right syntax to use near 'wher id = 4' at line 1",
      "... near 'wher id = 4' at line 1",
    ],
    [
      "the words before a long path",
      `7F00:error:0200:system library:connect refused:../vendor/${"net/".repeat(20)}bss_conn.c:177:`,
      "connect refused:bss_conn.c:177:",
    ],
    [
      "the complaint, not the advice behind it",
      `cannot read "dock.yaml": ${"ships.".repeat(12)}pier: unknown field "tides" in Pier; if you want to accept it, turn the check of every field off with --no-check=true`,
      'unknown field "tides" in Pier',
    ],
    [
      "the complaint, not the guess behind it",
      `AB12: Syntax error on line 9 of ${"/etc/dock".repeat(6)}/a.conf: Invalid command 'Mooor', perhaps misspelled or defined by a module that this server was started without`,
      "Invalid command 'Mooor'",
    ],
  ])("the shown message contains %s", (_, message, shown) => {
    const outcome = { ...answer("query", message), status: "failed" as const, category: "error" as const };
    expect(formatStatusMessage({ ...outcome, message }, "query")).toContain(shown);
  });

  test("the message contains the sentence below a title or a code", () => {
    expect(
      shell("npx prisma migrate deploy", "Schema loaded\n\nError: P4007\n\nno lock was free for this database").message,
    ).toBe("Error: P4007 no lock was free for this database");
    expect(
      shell(
        "php artisan migrate",
        "\n   Acme\\Db\\QueryException \n\n  SQLSTATE[HY000] Access denied for user 'shop'\n",
      ).message,
    ).toBe("Acme\\Db\\QueryException SQLSTATE[HY000] Access denied for user 'shop'");
  });

  test("the message is the error above the values that it compares", () => {
    const text = "Error: SHA256 mismatch\nExpected: 0b5d3c\n  Actual: 91f0e2\n    File: /tmp/kit.dmg";
    expect(shell("brew install kit", text).message).toContain("Error: SHA256 mismatch");
  });

  test("the message of an empty commit says that nothing was added, not on which branch", () => {
    const text =
      "On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing added to commit but untracked files present\n\nexit status 1";
    expect(answer("git_commit", text).message).toBe("nothing added to commit but untracked files present");
  });

  test("the message is what a client labels as Stderr, not the command or the folder", () => {
    const report =
      "Command: helm upgrade kit\nDirectory: deploy\nStdout: (empty)\nStderr: Error: UPGRADE FAILED: another operation is in progress\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 51177";
    expect(shell("helm upgrade kit", report).message).toBe("Error: UPGRADE FAILED: another operation is in progress");
    const object = '{"ExitCode":1,"Stdout":"","Stderr":"pg_dump: error: role \\"app\\" does not exist\\n"}';
    expect(shell("pg_dump", object).message).toContain('role "app" does not exist');
  });

  test("the message is the error of the database below the one of the migration", () => {
    const text =
      'rake aborted!\nStandardError: An error has occurred, this and all later migrations canceled: (StandardError)\n\nPG::NotNullViolation: ERROR:  null value in column "sku" violates not-null constraint\nDETAIL:  Failing row contains (88140, null).';
    expect(shell("rake db:migrate", text).message).toContain('null value in column "sku"');
  });

  test("the message is the description of a start that failed, and the complaint of TeX", () => {
    const spring =
      "2024-07-19T15:40:05 INFO 5120 --- a.b.App : Starting App\n\nAPPLICATION FAILED TO START\n\nDescription:\n\nParameter 0 required a bean of type 'Clock' that could not be found.\n\nAction:\n\nConsider defining one.\n\nExit code: 1";
    expect(shell("./run.sh", spring).message).toContain("required a bean of type 'Clock'");
    const tex =
      "! Undefined control sequence.\nl.204 \\citep\nLatexmk: Errors, so I did not complete making targets\nExit code: 12";
    expect(shell("latexmk -pdf a.tex", tex).message).toContain("Undefined control sequence.");
  });

  test("the message is Maven's error, not a rule between its remarks", () => {
    const text =
      "[INFO] BUILD FAILURE\n[INFO] -----------------------\n[ERROR] Failed to execute goal a:deploy on project b: Could not transfer artifact c: status code: 401 -> [Help 1]";
    expect(shell("mvn deploy", text).message).toContain("status code: 401");
  });

  test("the message contains the first entry of a list of errors or messages", () => {
    const github =
      '{"message":"Validation Failed","errors":[{"code":"custom","message":"A pull request already exists."}],"status":"422"}';
    expect(answer("create_pull_request", github).message).toContain("A pull request already exists.");
    const nest = '{"statusCode":422,"error":"Unprocessable Entity","message":["items should not be empty"]}';
    expect(answer("create_order", nest).message).toContain("items should not be empty");
  });

  test("the message is the reason in an element of XML", () => {
    const xml = "<answer><status>2</status><hinweis>Das Kontingent ist erschöpft, nicht vergeben</hinweis></answer>";
    expect(answer("book_appointment", xml)).toMatchObject({
      status: "failed",
      message: "Das Kontingent ist erschöpft, nicht vergeben",
    });
  });

  test("the message contains the text that a list of errors holds", () => {
    const text = '{"error":{"message":"Invalid Input Provided","errors":["Incident Already Resolved"]}}';
    expect(answer("resolve_incident", text).message).toContain("Incident Already Resolved");
  });
});
