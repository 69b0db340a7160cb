import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../test/support/classify.ts";

describe("texts that only look like a failure", () => {
  test("a commit was made, whatever its hooks print", () => {
    const hook = "Running checks...\nwarning: unused import failed_once\nFound no errors to fix in 3 files";
    const made = `${hook}\n[main 4f0c2d1] Handle a failed upload\n 1 file changed, 4 insertions(+)`;
    expect(shell('git add -A && git commit -m "Handle a failed upload"', made).status).toBe("ok");
    expect(shell('git commit -m "x" && git push', `${made}\nfatal: no upstream branch`).status).toBe("failed");
  });

  test("a usage text that was requested is help", () => {
    const text = "usage: pack.py [-h] [--strict] FILE\n\noptions:\n  --strict    fail on the first invalid row";
    expect(shell("python pack.py --help | head -5", text).status).toBe("ok");
    expect(shell("python pack.py", text).status).toBe("failed");
  });

  test("an exception that the program reports as handled is no failure", () => {
    const trace =
      "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    import fast\nModuleNotFoundError: No module named 'fast'";
    expect(shell("python a.py", `${trace}\nfalling back to slow\ndone, 12 rows`).status).toBe("ok");
    expect(shell("python a.py", `${trace}\ndone`).status).toBe("failed");
  });

  test("a logged traceback is no failure of a program that continues to its end", () => {
    const log = (last: string) =>
      `10:00:00 ERROR could not sync row 3\nTraceback (most recent call last):\n  File "a.py", line 3, in run\n    go()\nValueError: bad row\n${last}`;
    expect(shell("make sync", log("10:00:01 INFO all 12 jobs completed")).status).toBe("ok");
    expect(shell("make sync", log("10:00:01 INFO stopping")).status).toBe("failed");
  });

  test("a traceback of a single program that exited with 0 is no soft failure", () => {
    const text =
      'Exit code: 0\nTraceback (most recent call last):\n  File "a.py", line 2, in <module>\nKeyError: 3\nused the default';
    expect(shell("python3 a.py", text)).toMatchObject({ status: "ok", soft: false });
    expect(shell("python3 a.py; ls", text)).toMatchObject({ status: "ok", soft: true });
  });

  test("what a page describes is its content", () => {
    expect(answer("WebFetch", "This document lists errors: `403 Forbidden` means a wrong key.").status).toBe("ok");
  });

  test("a single hit of a search is ok, whatever the line contains", () => {
    expect(shell("grep -rn fatal src; true", "src/stop.sh:7:echo fatal: cannot go on").status).toBe("ok");
  });

  test("a line that starts by reporting success is ok, unless it continues with a failure", () => {
    expect(answer("KillShell", "Successfully killed shell 12 (npm start)").status).toBe("ok");
    expect(answer("KillShell", "Successfully found shell 12, but failed to kill it: permission denied").status).toBe(
      "failed",
    );
  });

  test("a loop that waits for success has the outcome of its last try", () => {
    const command = "until curl -fsS localhost:80/up; do sleep 1; done";
    const failed = "curl: (7) Failed to connect to localhost port 80: Connection refused";
    expect(shell(command, `${failed}\n${failed}\nup`).status).toBe("ok");
    expect(shell(command, `${failed}\n${failed}`).status).toBe("failed");
  });

  test("a warning about the language is not the first line of the output", () => {
    const text =
      "bash: warning: setlocale: LC_ALL: cannot change locale (de_DE.UTF-8)\ndf: /mnt/x: No such file or directory\nready";
    expect(shell("df /mnt/x; echo ready", text)).toMatchObject({ soft: true, category: "not_found" });
  });

  test("names of files are a list, whatever the files are called", () => {
    expect(
      answer("Glob", "lib/__snapshots__/ErrorBox.test.tsx.snap\nlib/__snapshots__/List.test.tsx.snap", {
        pattern: "**/*.snap",
      }).status,
    ).toBe("ok");
  });

  test("names of packages that a build prints are a list, whatever they are called", () => {
    expect(
      shell("go build -v ./...", "example.com/kit/errors\nexample.com/kit/internal/fault\nexample.com/kit/cmd/reject")
        .status,
    ).toBe("ok");
  });
});
