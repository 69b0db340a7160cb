import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CliError } from "../errors.ts";

interface Place {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Opens the port, or says why that cannot be; answers which one it became, and the address under which others find it. */
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
      throw new CliError(`Port ${port} on ${host} is taken. Is Toolmend running already? Choose another with --port.`);
    if (code === "EACCES")
      throw new CliError(`Port ${port} needs more rights than we have. Choose one above 1023 with --port.`);
    throw new CliError(`Cannot listen on ${host}:${port} (${code}).`);
  }
  const opened = (server.address() as AddressInfo).port;
  return { port: opened, url: `http://${host.includes(":") ? `[${host}]` : host}:${opened}` };
}
