import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Makes a server stop politely: every answer under way reaches its client whole, and nobody is waited for who keeps a connection without using it.
 * Node's own way takes an answer for delivered once its last byte is handed over, and leaves connections open that become idle later.
 */
export function closeGracefully(server: Server): void {
  /** How many answers are under way on a connection. */
  const open = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    open.set(socket, 0);
    socket.on("close", () => open.delete(socket));
  });
  server.on("request", ({ socket }, response: ServerResponse) => {
    const count = (by: number): void => {
      if (open.has(socket)) open.set(socket, (open.get(socket) ?? 0) + by);
    };
    count(1);
    response.on("close", () => {
      count(-1);
      if (!server.listening && open.get(socket) === 0) socket.destroySoon();
    });
  });
  // What `close` calls first.
  server.closeIdleConnections = () => {
    for (const [socket, count] of open) if (count === 0) socket.destroy();
  };
}
