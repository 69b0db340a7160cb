import { expect, it } from "vitest";
import { loopsCommand } from "./loops.ts";

async function run(input: string): Promise<{ readonly code: number; readonly out: string; readonly errors: string }> {
  let out = "";
  let errors = "";
  const code = await loopsCommand({
    stdin: (async function* () {
      yield input;
    })(),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (errors += text) },
  });
  return { code, out, errors };
}

const repeated = ["a", "b", "c", "d"].flatMap((id) => [
  { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path: "a.ts" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "same" }] },
]);

it("writes the loops of each conversation and the message where the first one began to count", async () => {
  const fine = repeated.slice(0, 4);
  const { code, out } = await run(
    `${JSON.stringify({ id: "x", messages: repeated })}\n${JSON.stringify({ messages: fine })}\n`,
  );
  expect(code).toBe(0);
  expect(out).toBe(
    '{"id":"x","loops":[{"kind":"repeat","period":1,"run":3,"at":7,"tools":["read"]}],"at":7}\n' +
      '{"id":null,"loops":[],"at":null}\n',
  );
});

it("reports lines that cannot be read, goes on, and exits with 1", async () => {
  const { code, out, errors } = await run('nonsense\n{"id":3}\n{"id":4,"messages":[null,5,{"role":"tool"}]}\n');
  expect(code).toBe(1);
  expect(out.split("\n")).toEqual([
    '{"id":null,"error":"line 1 is not a JSON object"}',
    '{"id":3,"error":"line 2 needs \\"messages\\": a list of messages"}',
    '{"id":4,"loops":[],"at":null}',
    "",
  ]);
  expect(errors).toContain("toolmend loops: line 1 is not a JSON object\n");
});
