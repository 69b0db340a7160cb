import { expect, it } from "vitest";
import { repairCallsCommand } from "./repair-calls.ts";

async function run(input: string): Promise<{ readonly code: number; readonly out: string; readonly errors: string }> {
  let out = "";
  let errors = "";
  const code = await repairCallsCommand({
    stdin: (async function* () {
      yield input;
    })(),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (errors += text) },
  });
  return { code, out, errors };
}

const TOOLS = [
  {
    name: "read",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, lines: { type: "integer" } },
      required: ["path"],
    },
  },
];

it("writes one line per line, with the status of every call, its repairs and its errors", async () => {
  const calls = [
    { name: "read", arguments: '{"path": "a"}' },
    { name: "Read", arguments: '{"path": "a", "lines": "5"}' },
    { name: "read", arguments: '{"lines": 5}' },
    { name: "write", arguments: "{}" },
  ];
  const { code, out, errors } = await run(`${JSON.stringify({ id: 7, tools: TOOLS, calls })}\n`);
  expect([code, errors]).toEqual([0, ""]);
  expect(JSON.parse(out)).toEqual({
    id: 7,
    calls: [
      { name: "read", arguments: '{"path": "a"}', status: "valid", repairs: [], errors: [] },
      {
        name: "read",
        arguments: '{"path": "a", "lines": 5}',
        status: "repaired",
        repairs: [
          { class: "name", path: "name", before: "Read", after: "read" },
          { class: "number-as-text", path: "$.lines", before: '"5"', after: "5" },
        ],
        errors: [],
      },
      {
        name: "read",
        arguments: '{"lines": 5}',
        status: "invalid",
        repairs: [],
        errors: ["$.path is required and missing"],
      },
      { name: "write", arguments: "{}", status: "invalid", repairs: [], errors: ["name is not a declared tool"] },
    ],
  });
});

it("reports lines that cannot be read, goes on, and exits with 1", async () => {
  const { code, out, errors } = await run('nonsense\n{"id":"x","tools":[]}\n\n{"tools":[],"calls":[]}');
  expect(code).toBe(1);
  expect(out.split("\n")).toEqual([
    '{"id":null,"error":"line 1 is not a JSON object"}',
    '{"id":"x","error":"line 2 needs \\"calls\\": a list of {name, arguments}"}',
    '{"id":null,"calls":[]}',
    "",
  ]);
  expect(errors).toContain("toolmend repair-calls: line 1 is not a JSON object\n");
});
