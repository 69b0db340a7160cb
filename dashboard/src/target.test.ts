import { expect, it } from "vitest";
import { targetOf } from "./target.ts";

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
