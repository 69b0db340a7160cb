import type { Duplex } from "node:stream";

/** Sees copies of the bytes, after they were sent on. */
export interface TunnelTap {
  clientChunk(chunk: Buffer): void;
  serverChunk(chunk: Buffer): void;
  /** Called once. `from` is the side that ended first. */
  end(from: "client" | "server"): void;
}

/** Copies bytes between two connections until one of them ends. */
export function connect(client: Duplex, server: Duplex, tap: TunnelTap): void {
  let isOver = false;
  const end = (from: "client" | "server"): void => {
    if (isOver) return;
    isOver = true;
    tap.end(from);
  };
  copy(client, server, (chunk) => tap.clientChunk(chunk));
  copy(server, client, (chunk) => tap.serverChunk(chunk));
  client.on("end", () => end("client"));
  server.on("end", () => end("server"));
  // Whichever connection closes takes the other along. What is already written to that one is still delivered.
  client.on("close", () => {
    end("client");
    endSoon(server);
  });
  server.on("close", () => {
    end("server");
    endSoon(client);
  });
}

function copy(from: Duplex, to: Duplex, seen: (chunk: Buffer) => void): void {
  from.on("data", (chunk: Buffer) => {
    if (!to.writable) return;
    if (!to.write(chunk)) from.pause();
    seen(chunk);
  });
  to.on("drain", () => from.resume());
  from.on("end", () => to.end());
}

const CLOSE_MS = 2000;

function endSoon(socket: Duplex): void {
  if (socket.destroyed) return;
  socket.end();
  setTimeout(() => socket.destroy(), CLOSE_MS).unref();
}
