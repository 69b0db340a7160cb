import { describe, expect, test } from "vitest";
import { findTellingLine } from "./telling-line.ts";

const line = (text: string, programs: readonly string[] = []): string | undefined =>
  findTellingLine(text, programs)?.line;

describe("the telling line", () => {
  test("the telling line is the usage line of a text that only shows the usage", () => {
    expect(line("Usage: pack [options] FILE\n\n  -q  print nothing about errors: stay quiet\n  -h  this text")).toBe(
      "Usage: pack [options] FILE",
    );
  });

  test("the telling line is the complaint below the usage, not the usage", () => {
    expect(line("usage: pack [-q] FILE\npack: error: the following arguments are required: FILE", ["pack"])).toBe(
      "pack: error: the following arguments are required: FILE",
    );
  });

  test("the telling line is the failed assertion, not the signal that ended the program", () => {
    expect(line("queue: queue.c:40: push: Assertion `used < size' failed.\nAborted (core dumped)", ["queue"])).toBe(
      "queue: queue.c:40: push: Assertion `used < size' failed.",
    );
    expect(line("Loading 4 shards\nKilled")).toBe("Killed");
  });

  test("the telling line is the last line of a Python traceback, whatever its exception is called", () => {
    const text =
      'Traceback (most recent call last):\n  File "a.py", line 4, in load\n    return known[key]\nKeyError: 7\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 9, in <module>\n    load(7)\n    ~~~~^^^\nstore.RowMissing: row 7 was never written';
    expect(line(text)).toBe("store.RowMissing: row 7 was never written (a.py)");
  });

  test("the telling line continues with the line below an exception in brackets", () => {
    expect(line("ERROR:  While executing gem ... (Gem::DependencyError)\n    rake needs Ruby 4")).toBe(
      "ERROR: While executing gem ... (Gem::DependencyError): rake needs Ruby 4",
    );
  });

  test("the telling line is the complaint of a step of docker build, not the sentence that repeats it", () => {
    expect(
      line(
        '#9 3.201 error: subprocess-exited-with-error\n#9 3.305 Error: mysql_config was not found\nERROR: failed to solve: process "/bin/sh -c pip install x" did not complete successfully: exit code: 1',
      ),
    ).toBe("Error: mysql_config was not found");
  });

  test("the telling line is the first conflict of a solver", () => {
    expect(
      line(
        "Your requirements could not be resolved to an installable set of packages.\n\n  Problem 1\n    - acme/mail 3 requires php >=9 -> your php version (8.4) does not satisfy that requirement.",
      ),
    ).toBe("- acme/mail 3 requires php >=9 -> your php version (8.4) does not satisfy that requirement.");
  });

  test("the telling line is the error behind Maven's level and its place, not the heading above it", () => {
    expect(
      line(
        "[ERROR] COMPILATION ERROR :\n[INFO] -----\n[ERROR] /src/main/A.java:[3,5] cannot find symbol\n[INFO] 1 error",
      ),
    ).toBe("[ERROR] /src/main/A.java:[3,5] cannot find symbol");
  });

  test("the telling line is the server's reason for a refused push, not the refusal", () => {
    const refused = " ! [remote rejected] main -> main (pre-receive hook declined)";
    expect(
      line(`remote: error: Ticket number missing in 4f0a\nTo git.example:a\n${refused}\nerror: failed to push`),
    ).toBe("remote: error: Ticket number missing in 4f0a");
  });

  test("the telling line is the assertion behind the place in a test, not the name of the test", () => {
    expect(line("PASS: t-open\nFAIL: t-seek\n  t-seek.c:12: tell(f): expected 8, got 0\nPASS: t-read")).toBe(
      "t-seek.c:12: tell(f): expected 8, got 0",
    );
  });

  test("the telling line contains the inner exception of .NET", () => {
    expect(
      line(
        "Unhandled exception. System.AggregateException: One or more errors occurred.\n ---> System.IO.IOException: The disk is full.\n   at A.Main()",
      ),
    ).toContain("System.IO.IOException: The disk is full.");
  });

  test("the telling line of R does not contain the calls below it", () => {
    expect(line("Error in mean(y) : object 'y' not found\nCalls: mean\nExecution halted")).toBe(
      "Error in mean(y) : object 'y' not found",
    );
  });

  test("the telling line is the comparison of GoogleTest with its values", () => {
    expect(line("tree_test.cc:9: Failure\nExpected equality of these values:\n  depth\n    Which is: 2\n  3")).toBe(
      "Expected equality of these values: depth Which is: 2",
    );
  });

  test("the telling line is the complaint of a program that was started with a long path", () => {
    expect(
      line(
        "Error: The browser did not start\n/opt/browsers/stable/linux-140/chrome: error while loading libraries: libx.so: No such file or directory",
      ),
    ).toContain("libx.so: No such file or directory");
  });

  test("the telling line is the last line below a banner, although it has no label", () => {
    expect(line("Input #0, wav, from 'a.wav':\nStream #0:0: Audio: pcm, mono\nNothing was given to write to")).toBe(
      "Nothing was given to write to",
    );
  });

  test("the telling line is the fatal line of a log, not the sentence below that repeats it", () => {
    expect(
      line(
        '2026/11/18 21:35:21 [emerg] 7#7: unknown directive "a" in b.conf:6\nnginx: configuration b.conf test failed',
        ["nginx"],
      ),
    ).toContain("unknown directive");
  });

  test("the telling line is found between many lines with a colon", () => {
    const log = (name: string): string =>
      Array.from({ length: 40 }, (_, index) => `> Task :${name}:${index}`).join("\n");
    expect(line(`${log("a")}\ne: file:///a/B.kt:64:22 Unresolved reference 'gain'.\n${log("b")}`)).toContain("gain");
  });

  test("the telling line is the diagnosis, not the sentence that counts errors below it", () => {
    expect(line("shop.po:3: end-of-line within string\nmsgfmt: found 1 fatal error", ["msgfmt"])).toBe(
      "shop.po:3: end-of-line within string",
    );
  });

  test("the telling line is the reason behind a target, not the sentence that closes the build", () => {
    expect(
      line(
        "scons: *** [a.o] Source `a.c' not found, needed by target `a.o'.\nscons: building terminated because of errors.",
      ),
    ).toContain("Source `a.c' not found");
  });

  test("the telling line contains the comments of a failed TAP test", () => {
    expect(line("1..2\nnot ok 1 adds up\n#   `[ 3 -eq 4 ]' failed\nok 2 fine")).toBe(
      "not ok 1 adds up `[ 3 -eq 4 ]' failed",
    );
  });

  test("the telling line contains npm's code if the message does not imply it", () => {
    expect(line("npm error code EBADENGINE\nnpm error engine Unsupported engine")).toBe(
      "npm error engine Unsupported engine (EBADENGINE)",
    );
  });

  test("the telling line is the cause below a suite that did not run", () => {
    expect(
      line("FAIL ./a.test.js\n  ● Test suite failed to run\n\n    Cannot find module './b' from 'a.test.js'"),
    ).toBe("Cannot find module './b' from 'a.test.js'");
  });

  test("the telling line is the last exception of a Python chain, not the first", () => {
    expect(
      line(
        'Traceback (most recent call last):\n  File "a.py", line 2, in f\n    g()\nKeyError: \'rate\'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 9, in <module>\n    f()\nRuntimeError: no rate for EUR\n',
      ),
    ).toContain("RuntimeError: no rate for EUR");
  });

  test("the telling line names the raised Java exception together with its cause", () => {
    expect(
      line(
        'Exception in thread "main" java.lang.IllegalStateException: cannot load plan\n\tat App.main(App.java:3)\nCaused by: java.io.IOException: disk is gone\n\t... 1 more',
      ),
    ).toBe(
      'Exception in thread "main" java.lang.IllegalStateException: cannot load plan (Caused by: java.io.IOException: disk is gone)',
    );
  });

  test("the telling line is the thrown error of Node.js, not its source line, caret or version", () => {
    expect(
      line(
        "/app/a.js:3\n    throw new Error('no plan');\n    ^\n\nError: no plan\n    at Object.<anonymous> (/app/a.js:3:7)\n\nNode.js v24.1.0",
      ),
    ).toContain("Error: no plan");
  });

  test("the telling line is the first error of a compiler, not the trailer of make", () => {
    expect(
      line(
        "gcc -c a.c\na.c:3:5: warning: unused variable\na.c:7:2: error: unknown type name 'foo'\na.c:9:1: error: expected ';'\nmake: *** [Makefile:2: a.o] Error 1",
        ["make"],
      ),
    ).toBe("a.c:7:2: error: unknown type name 'foo'");
  });

  test("the telling line contains what an assertion expected and what it got", () => {
    expect(
      line(
        "thread 'adds' panicked at src/lib.rs:9:5:\nassertion `left == right` failed\n  left: 4\n right: 5\nnote: run with `RUST_BACKTRACE=1`\ntest result: FAILED. 0 passed; 1 failed",
      ),
    ).toMatch(/left: 4.*right: 5/);
  });

  test("the telling line is npm's real error, not its code or its log", () => {
    expect(
      line(
        'npm error code ENOENT\nnpm error Missing script: "biuld"\nnpm error A complete log of this run can be found in: /root/.npm/_logs/x.log',
      ),
    ).toBe('npm error Missing script: "biuld"');
  });

  test("the telling line is the shell's complaint before other output of the line", () => {
    expect(line("bash: line 1: jqq: command not found\nreport.txt\nnotes.txt", ["jqq", "ls"])).toBe(
      "bash: line 1: jqq: command not found",
    );
  });

  test("the telling line is the message of PowerShell, not its position or category", () => {
    expect(
      line(
        "Get-Item : Cannot find path 'C:\\x' because it does not exist.\nAt line:1 char:1\n+ Get-Item C:\\x\n+ ~~~~~~~~~~~~~\n    + CategoryInfo          : ObjectNotFound\n    + FullyQualifiedErrorId : PathNotFound",
      ),
    ).toContain("Cannot find path 'C:\\x' because it does not exist.");
  });

  test("the telling line is the text under a heading", () => {
    expect(line("### Error\nTimeoutError: page.goto took too long\n### Page state\n- url: about:blank")).toContain(
      "TimeoutError: page.goto took too long",
    );
  });

  test("the telling line contains the file that only a line near the message names", () => {
    expect(line('error[E0308]: mismatched types\n --> src/main.rs:2:18\n  |\n2 |     let x: i32 = "a";')).toBe(
      "error[E0308]: mismatched types (src/main.rs:2:18)",
    );
  });

  test.each([
    ["a French colon after a blank", "xz : archive.xz : Format de fichier inconnu\nautre ligne", "archive.xz"],
    ["a full-width colon", "致命错误：无法访问仓库\n完成", "无法访问仓库"],
  ])("the telling line is found behind %s", (_, text, fact) => {
    expect(line(text, ["xz"])).toContain(fact);
  });

  test("the telling line is missing if every line is noise", () => {
    expect(line("}\n^~~~\n</output>\nNode.js v24.1.0")).toBeUndefined();
  });

  test("the telling line is the first error of Maven, not its advice", () => {
    expect(
      line(
        '[INFO] BUILD FAILURE\n[ERROR] Unknown lifecycle phase "pack". You must specify a valid one. -> [Help 1]\n[ERROR] \n[ERROR] Re-run Maven using the -X switch.\n[ERROR] [Help 1] http://example.org/help',
      ),
    ).toContain('Unknown lifecycle phase "pack"');
  });

  test("the telling line is the complaint below ninja's command, not the file that was not built", () => {
    expect(
      line(
        "[1/2] GEN menu.c\nFAILED: [code=1] menu.c menu.h\n./gen menu.txt\ngen: error: dish 9 has no price\nninja: stopped",
      ),
    ).toBe("gen: error: dish 9 has no price");
  });

  test("the telling line of a test whose fixture is missing does not list the fixtures", () => {
    expect(
      line(
        "E       fixture 'basket' not found\n>       available fixtures: cache, capsys, tmp_path\n>       use 'pytest --fixtures' for help",
      ),
    ).toBe("fixture 'basket' not found");
  });

  test("the telling line is not a property without a value", () => {
    const text = "Project name: hull\nProject version: undefined\nFound ninja at /usr/bin/ninja\nIncluded keel 0.4";
    expect(line(text)).toBe("Included keel 0.4");
    expect(line('{"success": false}')).toBe('{"success": false}');
  });

  test("the telling line is what was thrown in a test, not jest's remark on open handles", () => {
    expect(
      line(
        "  \u25cf closes\n\n    thrown: \"Exceeded timeout of 300 ms for a hook.\n\nJest did not exit one second after the test run has completed.\n'This usually means that something was not stopped.",
      ),
    ).toContain("Exceeded timeout of 300 ms");
  });

  test("the telling line is the raised condition, not the last frame of a Lisp", () => {
    const text =
      "Unhandled SIMPLE-ERROR in thread main:\n  The index 9 is too large.\n0: (SB-IMPL::ERROR 9)\n1: (LOAD #<FORM>)\n\nunhandled condition, quitting";
    expect(line(text)).toContain("Unhandled SIMPLE-ERROR");
  });

  test.each([
    ["English", "error: cannot find symbol\n  Ship s;\n  ^\n  symbol:   class Ship\n  location: class Dock\n1 error"],
    ["German", "Fehler: Symbol nicht gefunden\n  Ship s;\n  ^\n  Symbol: Klasse Ship\n  Ort: Klasse Dock\n1 Fehler"],
  ])("the telling line names the symbol that javac prints below the place, in %s", (_, text) => {
    expect(line(`Dock.java:4: ${text}`)).toMatch(/(?:class|Klasse) Ship/);
  });

  test.each([
    [
      "a task of Ant",
      "Buildfile: build.xml\n\ncompile:\n    [javac] /w/Dock.java:7: error: ')' expected\n    [javac]     moor(ship;\n    [javac] 1 error\n\nBUILD FAILED\n/w/build.xml:9: Compile failed; see the output for details.",
      "/w/Dock.java:7: error: ')' expected",
    ],
    [
      "sbt",
      "[info] compiling\n[error] /w/Dock.scala:2:9: type mismatch;\n[error]  found   : Int\n[error]  required: Ship\n[error] one error found",
      "[error] /w/Dock.scala:2:9: type mismatch; found : Int",
    ],
    [
      "TeX",
      "(./dock.tex\n! Undefined control sequence.\nl.7 \\moorr\n          {ship}\n? ",
      "! Undefined control sequence. l.7 \\moorr",
    ],
  ])("the telling line is the whole error of a source that %s reports", (_, text, found) => {
    expect(line(text)).toBe(found);
  });
});
