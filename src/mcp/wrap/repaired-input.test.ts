import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallRepairer } from "./call-repairer.ts";
import { createRepairedInput } from "./repaired-input.ts";

const ADD = {
  name: "add",
  has_description: true,
  input_schema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
};
const call = (args: object): string =>
  JSON.stringify({ id: 1, method: "tools/call", params: { name: "add", arguments: args } });

async function send(chunks: readonly Buffer[]) {
  const repairer = new CallRepairer();
  repairer.addTools(true, [ADD]);
  const read: string[] = [];
  const input = createRepairedInput({
    repairer,
    onPassed: (bytes) => read.push(bytes.toString("latin1")),
    onRepaired: (line) => read.push(`${line.toString("latin1")}\n`),
  });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  const sent: Buffer[] = [];
  for await (const chunk of input) sent.push(chunk as Buffer);
  return { sent: Buffer.concat(sent), read: Buffer.from(read.join(""), "latin1") };
}

describe("the input of a wrapped server whose calls are repaired", () => {
  it("the server gets the repaired call, and the recorder gets what the client sent", async () => {
    const { sent, read } = await send([Buffer.from(`${call({ a: "1" })}\n${call({ a: 2 })}\n`)]);
    expect(sent.toString()).toBe(`${call({ a: 1 })}\n${call({ a: 2 })}\n`);
    expect(read.toString()).toBe(`${call({ a: "1" })}\n${call({ a: 2 })}\n`);
  });

  it("the server gets a last line without an end", async () => {
    expect((await send([Buffer.from(call({ a: "1" }))])).sent.toString()).toBe(call({ a: 1 }));
  });

  it("the server gets a call of 300 KB unchanged, and the repaired call behind it", async () => {
    const long = call({ a: "1", b: "x".repeat(300_000) });
    const { sent } = await send([
      Buffer.from(long.slice(0, 1000)),
      Buffer.from(`${long.slice(1000)}\n${call({ a: "1" })}\n`),
    ]);
    expect(sent.toString()).toBe(`${long}\n${call({ a: 1 })}\n`);
  });

  it("the server gets what the client sent, byte for byte, if no call needs repair, however it is split", async () => {
    const piece = fc.oneof(
      fc.constantFrom("\n", "\r\n", call({ a: 1 }), call({}), '{"method":"ping"}', "é🙂"),
      fc.uint8Array({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const chunks = pieces.map((one) => Buffer.from(one));
        const whole = Buffer.concat(chunks);
        const { sent, read } = await send(chunks);
        expect([sent, read]).toEqual([whole, whole]);
      }),
    );
  });
});
