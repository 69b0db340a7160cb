import { EventEmitter } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { ProxyCycleCheck } from "./hop-check.ts";

/** Opens an upstream connection of the proxy. Returns its socket. */
function openUpstream(check: ProxyCycleCheck, localPort: number, remotePort: number): EventEmitter {
  const socket = Object.assign(new EventEmitter(), { localPort, remotePort, connecting: true });
  sendOn(check, socket, "self");
  Object.assign(socket, { connecting: false });
  socket.emit("connect");
  return socket;
}

function sendOn(check: ProxyCycleCheck, socket: EventEmitter, upstream: string): void {
  const request = new EventEmitter();
  check.watch(request as unknown as ClientRequest, upstream);
  request.emit("socket", socket);
}

function incoming(remotePort: number, localPort: number, remoteAddress = "127.0.0.1"): IncomingMessage {
  return { socket: { remotePort, localPort, remoteAddress, localAddress: "127.0.0.1" } } as IncomingMessage;
}

describe("ProxyCycleCheck", () => {
  it("detects the proxy's own request by both ports until the connection closes", () => {
    const check = new ProxyCycleCheck();
    const socket = openUpstream(check, 50_000, 4100);
    expect(check.upstreamOf(incoming(50_000, 4100))).toBe("self");
    socket.emit("close");
    expect(check.upstreamOf(incoming(50_000, 4100))).toBeUndefined();
  });

  it("returns the upstream of the newest request on a connection", () => {
    const check = new ProxyCycleCheck();
    const socket = openUpstream(check, 50_000, 4100);
    sendOn(check, socket, "other");
    expect(check.upstreamOf(incoming(50_000, 4100))).toBe("other");
    socket.emit("close");
    expect(check.upstreamOf(incoming(50_000, 4100))).toBeUndefined();
  });

  it("ignores a client that uses the same local port as an upstream connection with another destination", () => {
    const check = new ProxyCycleCheck();
    openUpstream(check, 50_000, 8000);
    expect(check.upstreamOf(incoming(50_000, 4100))).toBeUndefined();
  });

  it("ignores a client on another machine with the same ports", () => {
    const check = new ProxyCycleCheck();
    openUpstream(check, 50_000, 4100);
    expect(check.upstreamOf(incoming(50_000, 4100, "192.0.2.7"))).toBeUndefined();
  });
});
