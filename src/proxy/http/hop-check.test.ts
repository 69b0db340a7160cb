import { EventEmitter } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { ProxyCycleCheck } from "./hop-check.ts";

/** A connection of ours from one port to another, and how to end it. */
function leaving(own: ProxyCycleCheck, localPort: number, remotePort: number): EventEmitter {
  const upstream = new EventEmitter();
  const socket = Object.assign(new EventEmitter(), { localPort, remotePort, connecting: true });
  own.watch(upstream as unknown as ClientRequest);
  upstream.emit("socket", socket);
  socket.emit("connect");
  return socket;
}

function arriving(remotePort: number, localPort: number, remoteAddress = "127.0.0.1"): IncomingMessage {
  return { socket: { remotePort, localPort, remoteAddress, localAddress: "127.0.0.1" } } as IncomingMessage;
}

describe("a request that comes from ourselves", () => {
  it("is known by both ends of its connection, as long as that lives", () => {
    const own = new ProxyCycleCheck();
    const socket = leaving(own, 50_000, 4100);
    expect(own.isFromThisProxy(arriving(50_000, 4100))).toBe(true);
    socket.emit("close");
    expect(own.isFromThisProxy(arriving(50_000, 4100))).toBe(false);
  });

  it("is not a client that happens to leave from the port of a connection of ours to somewhere else", () => {
    const own = new ProxyCycleCheck();
    leaving(own, 50_000, 8000);
    expect(own.isFromThisProxy(arriving(50_000, 4100))).toBe(false);
  });

  it("is not a client of another machine", () => {
    const own = new ProxyCycleCheck();
    leaving(own, 50_000, 4100);
    expect(own.isFromThisProxy(arriving(50_000, 4100, "192.0.2.7"))).toBe(false);
  });
});
