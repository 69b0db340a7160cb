import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Makes `server.close()` deliver every open response completely and close idle connections. Node's default treats a
 * response as delivered once its last byte is handed to the socket, and keeps connections open that become idle later.
 */
export function closeGracefully(server: Server): void {
  /** Number of open responses per connection. */
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
  // `server.close()` calls this first.
  server.closeIdleConnections = () => {
    for (const [socket, count] of open) if (count === 0) socket.destroy();
  };
}
