import { describe, expect, it } from "vitest";
import { BodyMemory } from "./body-memory.ts";

const TEXT = "A file with some lines. ".repeat(500);

const TOOLS = { tools: [{ name: "read", description: TEXT.slice(0, 6000) }] };

interface Body {
  readonly messages: readonly unknown[];
  readonly tools: readonly unknown[];
}

function bytes(messages: readonly string[], rest: object = {}): Buffer[] {
  const list = messages.map((content) => ({ role: "user", content }));
  return [Buffer.from(JSON.stringify({ model: "m", messages: list, tools: [{ name: "read" }], ...rest }))];
}

function memoryOf(maxBytes = 1 << 20, now: () => number = () => 0): BodyMemory {
  return new BodyMemory({ maxBytes, now });
}

function read(memory: BodyMemory, key: string, chunks: Buffer[]): Body {
  return memory.read(() => key, chunks)?.body as Body;
}

describe("BodyMemory", () => {
  it("gives the same objects for messages and tools that were there before, and parses the new ones", () => {
    const memory = memoryOf();
    const first = read(memory, "a", bytes([TEXT, "one"]));
    const second = read(memory, "a", bytes([TEXT, "one", "two"]));
    expect(second.messages[0]).toBe(first.messages[0]);
    expect(second.messages[1]).toBe(first.messages[1]);
    expect(second.messages[2]).toEqual({ role: "user", content: "two" });
    expect(second.tools).toBe(first.tools);
    expect(first.messages).toHaveLength(2);
  });

  it("gives the same body for the same bytes", () => {
    const memory = memoryOf();
    expect(read(memory, "a", bytes([TEXT]))).toBe(read(memory, "a", bytes([TEXT])));
  });

  it("parses only what lies around a changed message in the middle", () => {
    const memory = memoryOf();
    const first = read(memory, "a", bytes([TEXT, "one", "two", "three"]));
    const second = read(memory, "a", bytes([TEXT, "one", "zwei", "three"]));
    expect(second.messages.map((message, at) => message === first.messages[at])).toEqual([true, true, false, true]);
    expect(second.messages[2]).toEqual({ role: "user", content: "zwei" });
  });

  it("knows whether the last body of a key declared tools", () => {
    const memory = memoryOf();
    expect(memory.hasTools(() => "a")).toBe(false);
    read(memory, "a", bytes([TEXT]));
    expect(memory.hasTools(() => "a")).toBe(true);
    expect(memory.hasTools(() => "b")).toBe(false);
    read(memory, "a", bytes([TEXT], { tools: [] }));
    expect(memory.hasTools(() => "a")).toBe(false);
  });

  it("knows nothing of equal bytes under another key", () => {
    const memory = memoryOf();
    expect(read(memory, "a", bytes([TEXT])).messages[0]).not.toBe(read(memory, "b", bytes([TEXT])).messages[0]);
  });

  it("keeps conversations of one key apart", () => {
    const memory = memoryOf();
    const other = TEXT.toUpperCase();
    const [main, helper] = [read(memory, "a", bytes([TEXT], TOOLS)), read(memory, "a", bytes([other], TOOLS))];
    expect(helper.tools).toBe(main.tools);
    expect(read(memory, "a", bytes([TEXT, "one"], TOOLS)).messages[0]).toBe(main.messages[0]);
    expect(read(memory, "a", bytes([other, "one"], TOOLS)).messages[0]).toBe(helper.messages[0]);
  });

  it("leaves small bodies, bodies with a byte order mark and bodies that are not JSON to be read whole", () => {
    const memory = memoryOf();
    expect(memory.read(() => "a", bytes(["short"]))).toBeUndefined();
    expect(memory.read(() => "a", [Buffer.from("\ufeff"), ...bytes([TEXT])])).toBeUndefined();
    expect(memory.read(() => "a", [Buffer.from(`{"messages":[${TEXT}`)])).toBeUndefined();
    expect(memory.weight).toBe(0);
  });

  it("stays within its limit: the conversation unused longest goes first", () => {
    const memory = memoryOf(100_000);
    const first = read(memory, "a", bytes([TEXT]));
    const second = read(memory, "b", bytes([TEXT]));
    for (const key of ["c", "b", "d", "e"]) read(memory, key, bytes([TEXT]));
    expect(memory.weight).toBeLessThanOrEqual(100_000);
    expect(read(memory, "b", bytes([TEXT]))).toBe(second);
    expect(read(memory, "a", bytes([TEXT]))).not.toBe(first);
  });

  it("remembers at most eight conversations of one key", () => {
    const memory = memoryOf(1 << 24);
    const bodies = Array.from({ length: 9 }, (_, at) => bytes([`${at} ${TEXT}`]));
    const first = bodies.map((body) => read(memory, "a", body));
    expect(read(memory, "a", bodies[8] as Buffer[])).toBe(first[8]);
    expect(read(memory, "a", bodies[0] as Buffer[])).not.toBe(first[0]);
  });

  it("reads a large body in steps, and gives what reading it whole gives", () => {
    const memory = memoryOf(1 << 24);
    const large = bytes(Array.from({ length: 120 }, (_, at) => `${at} é ${TEXT}`));
    const slow = memory.readSlowly(() => "a", large);
    let steps = 1;
    while (slow?.step() === true) steps += 1;
    const slowly = slow?.end();
    // The model, 120 messages, and the tools.
    expect(steps).toBeGreaterThan(121);
    expect(slowly?.restore(slowly.body)).toEqual(JSON.parse((large[0] as Buffer).toString("utf8")));
    expect(memory.readSlowly(() => "a", large)).toBeUndefined();
    expect(read(memory, "a", large)).toBe(slowly?.body);
  });

  it("reads the rest of a large body in one piece, also where the bytes must be decoded another way", () => {
    const memory = memoryOf(1 << 24);
    const [one] = bytes(Array.from({ length: 120 }, (_, at) => `${at} é ${TEXT}`));
    const escaped = Buffer.from((one as Buffer).toString("utf8").replace("119 é", "119 \\u20ac é"));
    const slow = memory.readSlowly(() => "a", [escaped]);
    slow?.step();
    const value = slow?.end();
    expect(value?.restore(value.body)).toEqual(JSON.parse(escaped.toString("utf8")));
  });

  it("reads a number again that continues where the last body ended", () => {
    const memory = memoryOf();
    const last = (value: string): Buffer[] => [Buffer.from(`{"text":"${TEXT}","list":[1,${value}],"max":${value}}`)];
    for (const value of ["12", "123", "12", "1", "true"])
      expect(read(memory, "a", last(value))).toEqual({
        text: TEXT,
        list: [1, JSON.parse(value)],
        max: JSON.parse(value),
      });
  });

  it("counts objects, which take more memory than their text", () => {
    const memory = memoryOf(1 << 24);
    const dense = (last: string): Buffer[] => [Buffer.from(`{"messages":[[${"{},".repeat(9999)}{}],"${last}"]}`)];
    read(memory, "a", dense("one"));
    read(memory, "a", dense("two"));
    expect(memory.weight).toBeGreaterThan(10_000 * 64);
  });

  it("reads a body with very many short members or items whole", () => {
    const memory = memoryOf(1 << 24);
    const many = (last: number): Buffer[] => [Buffer.from(`{"messages":[${"1,".repeat(30_000)}${last}]}`)];
    expect(read(memory, "a", many(2)).messages).toHaveLength(30_001);
    expect(read(memory, "a", many(3)).messages.at(-1)).toBe(3);
    expect(read(memory, "a", many(4)).messages.at(-1)).toBe(4);
  });

  it("forgets everything when cleared", () => {
    const memory = memoryOf();
    const first = read(memory, "a", bytes([TEXT]));
    memory.clear();
    expect(memory.weight).toBe(0);
    expect(read(memory, "a", bytes([TEXT]))).not.toBe(first);
  });

  it("forgets a conversation that has been idle", async () => {
    let time = 0;
    const memory = new BodyMemory({ maxBytes: 1 << 20, idleMs: 20, now: () => time });
    read(memory, "a", bytes([TEXT]));
    time = 1000;
    await expect.poll(() => memory.weight).toBe(0);
  });
});
