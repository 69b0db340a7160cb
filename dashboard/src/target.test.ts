import { expect, it } from "vitest";
import { briefMessage, targetOf } from "./target.ts";

it.each([
  ['{"offset":3,"file_path":"/srv/shop/app.ts"}', "/srv/shop/app.ts"],
  ['{"command":"npm test","description":"Run the tests"}', "npm test"],
  ['{"command":["bash","-lc","ls -a"]}', "bash -lc ls -a"],
  ['{"content":"say \\"path\\"","path":"a.md"}', "a.md"],
  ['{"path":"a.md","content":"a long tex…', "a.md"],
  ['{"command":"echo \\"hi\\" && sleep 1', 'echo "hi" && sleep 1'],
  ['{"n":1}', undefined],
  ["[REDACTED]", undefined],
  [null, undefined],
])("finds what the call %s works on", (preview, target) => {
  expect(targetOf(preview)).toBe(target);
});

it("shows a failure without its category and tool, which have columns", () => {
  expect(briefMessage("[NOT_FOUND] Read - File does not exist.", "Read")).toBe("File does not exist.");
  expect(briefMessage("[TEST_FAILURE] Bash exit=1 - 1 failing - twice", "Bash")).toBe("1 failing - twice");
  for (const message of ["[NOT_FOUND] Read", "[X] Other - a", "plain - text", "[NOT_FOUND] Read - "])
    expect(briefMessage(message, "Read")).toBe(message);
});
