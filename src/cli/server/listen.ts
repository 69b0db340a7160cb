import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CliError } from "../errors.ts";

interface Place {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Opens the port, or explains why it cannot. Returns the actual port and the URL. */
export async function listen(
  server: Server,
  { host, port }: Place,
): Promise<{ readonly port: number; readonly url: string }> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new CliError(
        `Port ${port} on ${host} is already in use. If Toolmend is already running, use that server; otherwise choose another port with --port.`,
      );
    if (code === "EACCES")
      throw new CliError(`No permission to listen on port ${port}. Choose a port above 1023 with --port.`);
    throw new CliError(`Cannot listen on ${host}:${port} (${code}).`);
  }
  const opened = (server.address() as AddressInfo).port;
  return { port: opened, url: `http://${host.includes(":") ? `[${host}]` : host}:${opened}` };
}
