import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { BodyTimeouts } from "./body-timeout.ts";

interface Upload extends EventEmitter {
  headers: Record<string, string>;
  socket: { bytesRead: number };
  complete: boolean;
  paused: boolean;
}

function upload(headers: Record<string, string>): Upload {
  const fields = { headers, socket: { bytesRead: 100 }, complete: false, paused: false };
  const request: Upload = Object.assign(new EventEmitter(), fields);
  return Object.assign(request, { isPaused: () => request.paused });
}

function watched(request: Upload) {
  const clock = { now: 0 };
  const timeouts = new BodyTimeouts(1000, () => clock.now);
  const timedOut: string[] = [];
  timeouts.watch(request as unknown as IncomingMessage, (error) => timedOut.push(error.message));
  const timeoutsAfter = (ms: number): number => {
    clock.now += ms;
    timeouts.sweep();
    return timedOut.length;
  };
  return { timeoutsAfter, timedOut };
}

describe("BodyTimeouts", () => {
  it("times out a body that stops arriving, once", () => {
    const { timeoutsAfter, timedOut } = watched(upload({ "content-length": "10" }));
    expect([timeoutsAfter(999), timeoutsAfter(1), timeoutsAfter(5000)]).toEqual([0, 1, 1]);
    expect(timedOut).toEqual(["No data of the request body arrived for 1 s."]);
  });

  it("does not time out a body that arrives slowly", () => {
    const request = upload({ "transfer-encoding": "chunked" });
    const { timeoutsAfter } = watched(request);
    for (let n = 0; n < 20; n += 1) {
      request.socket.bytesRead += 1;
      expect(timeoutsAfter(900)).toBe(0);
    }
    expect(timeoutsAfter(1000)).toBe(1);
  });

  it("does not time out a body that is paused by backpressure", () => {
    const request = upload({ "content-length": "10" });
    request.paused = true;
    const { timeoutsAfter } = watched(request);
    expect([timeoutsAfter(2000), timeoutsAfter(2000)]).toEqual([0, 0]);
    request.paused = false;
    expect([timeoutsAfter(999), timeoutsAfter(1)]).toEqual([0, 1]);
  });

  it.each([
    ["is complete", (request: Upload) => Object.assign(request, { complete: true })],
    ["is closed", (request: Upload) => request.emit("close")],
  ])("does not time out a body that %s", (_, end) => {
    const request = upload({ "content-length": "10" });
    const { timeoutsAfter } = watched(request);
    end(request);
    expect(timeoutsAfter(5000)).toBe(0);
  });

  it.each([{}, { "content-length": "0" }])("does not watch a request without a body (%o)", (headers) => {
    expect(watched(upload(headers)).timeoutsAfter(5000)).toBe(0);
  });
});
