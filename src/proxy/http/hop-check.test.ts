import { EventEmitter } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { ProxyCycleCheck } from "./hop-check.ts";

/** Opens an upstream connection of the proxy. Returns its socket. */
function openUpstream(check: ProxyCycleCheck, localPort: number, remotePort: number): EventEmitter {
  const upstream = new EventEmitter();
  const socket = Object.assign(new EventEmitter(), { localPort, remotePort, connecting: true });
  check.watch(upstream as unknown as ClientRequest);
  upstream.emit("socket", socket);
  socket.emit("connect");
  return socket;
}

function incoming(remotePort: number, localPort: number, remoteAddress = "127.0.0.1"): IncomingMessage {
  return { socket: { remotePort, localPort, remoteAddress, localAddress: "127.0.0.1" } } as IncomingMessage;
}

describe("ProxyCycleCheck", () => {
  it("detects the proxy's own request by both ports until the connection closes", () => {
    const check = new ProxyCycleCheck();
    const socket = openUpstream(check, 50_000, 4100);
    expect(check.isFromThisProxy(incoming(50_000, 4100))).toBe(true);
    socket.emit("close");
    expect(check.isFromThisProxy(incoming(50_000, 4100))).toBe(false);
  });

  it("ignores a client that uses the same local port as an upstream connection with another destination", () => {
    const check = new ProxyCycleCheck();
    openUpstream(check, 50_000, 8000);
    expect(check.isFromThisProxy(incoming(50_000, 4100))).toBe(false);
  });

  it("ignores a client on another machine with the same ports", () => {
    const check = new ProxyCycleCheck();
    openUpstream(check, 50_000, 4100);
    expect(check.isFromThisProxy(incoming(50_000, 4100, "192.0.2.7"))).toBe(false);
  });
});
