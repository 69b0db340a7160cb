import { expect, test } from "vitest";
import {
  closingEcho,
  commandOf,
  hidesExitStatus,
  isAnswerByExit,
  printsItself,
  runsInBackground,
  showsStoredText,
} from "./shell-command.ts";

test.each<[unknown, string | undefined]>([
  [{ command: "ls" }, "ls"],
  [{ cmd: "ls" }, "ls"],
  [{ command: ["bash", "-lc", "ls -l"] }, "ls -l"],
  ['{"cmd":"ls"}', "ls"],
  ['{"command":"echo a\\nls', "echo a\nls"],
  [{ path: "x" }, undefined],
  [undefined, undefined],
])("the command of %j is %j", (args, command) => {
  expect(commandOf(args)).toBe(command);
});

test.each([
  "cat a",
  "sudo tail -f x",
  "cd /srv && cat a | head -3",
  "git log -3",
  "git -C x show HEAD",
  "LC_ALL=C grep x a; ls",
])("%s only shows stored text", (command) => {
  expect(showsStoredText(command)).toBe(true);
});
test.each(["npm test", "cat a && npm test", "git push", "cd x", "", "python a.py | cat"])(
  "%j does more than show stored text",
  (command) => {
    expect(showsStoredText(command)).toBe(false);
  },
);

test.each(["make | tail -3", "make 2>&1 | grep error", "make || true", "make; true", "make || echo failed"])(
  "%s hides the exit code of make",
  (command) => {
    expect(hidesExitStatus(command)).toBe(true);
  },
);
test.each(["make", "make && true", "set -o pipefail; make | tail", "cat a | make"])(
  "%s reveals the exit code of make",
  (command) => {
    expect(hidesExitStatus(command)).toBe(false);
  },
);

test.each(["grep x a", "a && diff b c", "/usr/bin/which x", "[ -f a ]"])(
  "exit code 1 of %s means no match",
  (command) => {
    expect(isAnswerByExit(command, 1)).toBe(true);
  },
);
test.each(["make", "grep x a | make", "git push"])("exit code 1 of %s means a failure", (command) => {
  expect(isAnswerByExit(command, 1)).toBe(false);
});

test("a message that is part of the call's code was printed by it", () => {
  const args = { code: 'print("No table was found on the page")' };
  expect(printsItself("No table was found on the page", args.code)).toBe(true);
  expect(printsItself("No table", args.code)).toBe(false);
  expect(printsItself("ValueError: something else", args.code)).toBe(false);
});

test.each<[string, string | undefined]>([
  ["make -s; echo done", "done"],
  ["rm -f a 2>/dev/null; echo 'all clean'", "all clean"],
  ["make -s && echo done", undefined],
  ["make -s; echo $?", undefined],
  ["cd /srv; echo done", undefined],
  ["sed -i s/a/b/ x;\necho done", undefined],
  ["echo done", undefined],
])("%j closes with %j, whatever the program before returned", (command, text) => {
  expect(closingEcho(command)).toBe(text);
});

test("a call that does not wait for its process is recognized by its arguments", () => {
  expect(runsInBackground({ command: "npm run dev", run_in_background: true })).toBe(true);
  expect(runsInBackground('{"command":"npm run dev","is_background":true}')).toBe(true);
  expect(runsInBackground({ command: "npm run dev", is_background: false })).toBe(false);
});
