import { describe, expect, test } from "vitest";
import { answer, classify, shell } from "../../../test/support/classify.ts";

describe("results that do not show what the program did", () => {
  test.each([
    ["the note of a client", "make", "[output redirected to make.log]"],
    ["a mark at the end", "cmake --build b", "[ 10%] Building CXX object a.o\n... [output cut at 900 characters]"],
    ["an echo around a group", "(make; echo end) 2>&1 | tail -1", "end"],
    ["an echo before silent work", "echo start; npm test >/dev/null 2>&1", "start"],
    ["a service that goes on", "systemd-run --user ./sync.sh", "Running as unit: run-u7.service"],
    ["progress that goes on", "python fit.py | tail -1", "epoch 3/40: loss 0.7"],
    ["lines that head cut, blank ones included", "npm test 2>&1 | head -4", "\n> a@1.0.0 test\n> vitest\n"],
  ])("%s leaves the status unknown", (_, command, text) => {
    expect(shell(command, text).status).toBe("unknown");
  });

  test("the status is unknown if all output went to a file and only an echo printed something", () => {
    expect(shell("make all > build.log 2>&1; echo over", "over").status).toBe("unknown");
    expect(shell("./serve &> serve.log & echo started", "started").status).toBe("unknown");
    expect(shell("make all 2>&1; echo over", "cc -o a a.c\nover").status).toBe("ok");
  });

  test("the status is unknown if the program's output is not shown", () => {
    expect(shell("./backup.sh >/dev/null 2>&1; date +%F", "2026-03-01").status).toBe("unknown");
    expect(shell("(cd a && make) > /tmp/a.log 2>&1; wc -l < /tmp/a.log", "40").status).toBe("unknown");
    expect(shell("make > /tmp/a.log 2>&1; tail -3 /tmp/a.log", "cc a.c\nld a.o").status).toBe("ok");
    expect(shell("make > /tmp/a.log 2>&1 && echo built", "built").status).toBe("ok");
  });

  test("the status is unknown if head cut off the end of a test run", () => {
    expect(shell("pytest -q | head -2", "....\n....").status).toBe("unknown");
    expect(shell("pytest -q | head -20", "....\n4 passed in 0.1s").status).toBe("ok");
    expect(shell("cat a.py | head -2", "import os\nimport sys").status).toBe("ok");
  });

  test("the status is unknown if an echo of the command printed the whole text", () => {
    const call = { name: "bash", arguments: { command: "cmp -s one two; echo compared" } };
    expect(classify({ content: "compared\n" }, call).status).toBe("unknown");
    expect(classify({ content: "one two differ\ncompared\n" }, call).status).toBe("ok");
  });

  test("a client's note that there was no output leaves the status unknown, also with the tool's name", () => {
    expect(shell("crontab -r; true", "(Bash completed with no output)").status).toBe("unknown");
  });
});

describe("results of work that continues", () => {
  test("the status is unknown if the process was started in the background", () => {
    const call = { name: "Bash", arguments: { command: "npm run dev", run_in_background: true } };
    expect(classify({ content: "Started with id 2." }, call).status).toBe("unknown");
  });

  test("the status is unknown while a background command is running", () => {
    expect(answer("BashOutput", "<status>running</status>\n<stdout>\nlistening\n</stdout>").status).toBe("unknown");
  });

  test("the status is unknown if the process continues in the background, in any language", () => {
    expect(shell("./import.sh", "Der Befehl läuft im Hintergrund weiter (PID 12).").status).toBe("unknown");
    expect(shell("npm run dev &", "[1] 4211").status).toBe("unknown");
  });

  test("the status is unknown while an agent has only been started", () => {
    expect(answer("Task", "Agent started. You will be told when it has finished.").status).toBe("unknown");
  });

  test("complete progress is a result", () => {
    expect(shell("python fit.py | tail -1", "epoch 40/40: loss 0.2").status).toBe("ok");
  });
});
