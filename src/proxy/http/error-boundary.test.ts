import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { ErrorBoundary } from "./error-boundary.ts";

function ownedEmitter(): { readonly emitter: EventEmitter; readonly failures: unknown[] } {
  const failures: unknown[] = [];
  const boundary = new ErrorBoundary(
    (error) => failures.push(error),
    () => failures.push("last resort"),
  );
  const emitter = new EventEmitter();
  boundary.own(emitter);
  return { emitter, failures };
}

describe("ErrorBoundary", () => {
  it("contains an exception of a listener that was added later", () => {
    const { emitter, failures } = ownedEmitter();
    const failure = new Error("broken listener");
    emitter.on("data", () => {
      throw failure;
    });
    expect(emitter.emit("data", 1)).toBe(true);
    expect(failures).toEqual([failure]);
  });

  it("contains an error event without a listener", () => {
    const { emitter, failures } = ownedEmitter();
    const failure = new Error("connection reset");
    emitter.emit("error", failure);
    expect(failures).toEqual([failure]);
  });

  it("passes arguments and the result of emit through", () => {
    const { emitter, failures } = ownedEmitter();
    const received: unknown[] = [];
    emitter.on("data", (...args: unknown[]) => received.push(args));
    expect([emitter.emit("data", 1, "two"), emitter.emit("end")]).toEqual([true, false]);
    expect([received, failures]).toEqual([[[1, "two"]], []]);
  });

  it("reports the failures of each emitter to its own boundary", () => {
    const [first, second] = [ownedEmitter(), ownedEmitter()];
    second.emitter.emit("error", new Error("second"));
    expect([first.failures.length, second.failures.length]).toEqual([0, 1]);
  });

  it("gives all emitters the same function, so that finished exchanges leave the memory early", () => {
    expect(ownedEmitter().emitter.emit).toBe(ownedEmitter().emitter.emit);
  });
});
