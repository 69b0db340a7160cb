import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TimeSlices } from "./time-slices.ts";

describe("TimeSlices", () => {
  it("ends a slice after its time and starts another in the next turn of the event loop", async () => {
    const clock = { now: 0 };
    const slices = new TimeSlices(2, () => clock.now);
    await slices.next();
    expect(slices.isOver).toBe(false);
    clock.now += 2;
    expect(slices.isOver).toBe(true);
    await slices.next();
    expect(slices.isOver).toBe(false);
  });

  it("runs one waiting task per turn of the event loop, in order", async () => {
    const slices = new TimeSlices();
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let piece = 0; piece < 2; piece += 1) {
        await slices.next();
        order.push(name);
      }
    };
    let over = false;
    const traffic = (async () => {
      while (!over) {
        await turn();
        if (order.at(-1) !== "traffic") order.push("traffic");
      }
    })();
    await Promise.all([work("a"), work("b")]);
    over = true;
    await traffic;
    expect(order.filter((name) => name !== "traffic")).toEqual(["a", "b", "a", "b"]);
    expect(order.join(" ")).toMatch(/a traffic b traffic a traffic b/);
  });
});
