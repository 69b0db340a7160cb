// Local servers that the HTTP cases talk to. They listen on 127.0.0.1 only; their ports are words of every case.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";

const BODIES: Readonly<Record<number, string>> = {
  200: JSON.stringify({ status: "ok", items: [{ id: 1, note: "no errors found" }] }),
  400: JSON.stringify({ error: { code: "bad_request", message: "field 'limit' must be a positive integer" } }),
  401: JSON.stringify({ message: "Bad credentials", documentation: "see /docs/auth" }),
  403: JSON.stringify({ error: "forbidden", detail: "token lacks scope reports:write" }),
  404: JSON.stringify({ message: "Not Found", path: "/v1/reports/77" }),
  409: JSON.stringify({ title: "Conflict", detail: "revision 12 is not the latest" }),
  413: JSON.stringify({ error: "payload too large", limit: 1048576 }),
  422: JSON.stringify({ errors: [{ field: "email", code: "invalid" }] }),
  429: JSON.stringify({ error: "Too many requests", retry_after: 30 }),
  500: "<html><head><title>500 Internal Server Error</title></head><body><h1>Internal Server Error</h1></body></html>",
  502: "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>",
  503: "upstream connect error or disconnect/reset before headers",
  504: "<html><head><title>504 Gateway Time-out</title></head><body>504 Gateway Time-out</body></html>",
};

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(String((server.address() as AddressInfo).port)));
  });
}

const POSTGRES_ROOT = "/usr/lib/postgresql";
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"];

/** Starts PostgreSQL if it is installed; its folder is made once and stays in the cache. */
async function startPostgres(cache: string): Promise<{ readonly port: string; readonly stop: () => void } | undefined> {
  const version = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT).at(-1) : undefined;
  if (version === undefined || process.getuid?.() !== 0) return undefined;
  const bin = `${POSTGRES_ROOT}/${version}/bin`;
  const data = `${cache}/pg`;
  if (!existsSync(`${data}/PG_VERSION`)) {
    spawnSync("install", ["-d", "-o", "nobody", "-g", "nogroup", data]);
    spawnSync("setpriv", [...NOBODY, `${bin}/initdb`, "-D", data, "-U", "postgres", "-A", "trust", "--locale=C.UTF-8"]);
  }
  rmSync(`${data}/postmaster.pid`, { force: true });
  const port = "54329";
  const options = ["-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const server = spawn("setpriv", [...NOBODY, `${bin}/postgres`, ...options], { stdio: "ignore" });
  for (let tries = 0; tries < 100; tries++) {
    if (spawnSync("pg_isready", ["-q", "-h", "127.0.0.1", "-p", port]).status === 0)
      return { port, stop: () => void server.kill("SIGINT") };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  server.kill("SIGINT");
  return undefined;
}

export interface Services {
  readonly words: Readonly<Record<string, string>>;
  readonly close: () => void;
}

export async function startServices(cache: string): Promise<Services> {
  const postgres = await startPostgres(cache);
  const web = createHttpServer((request, response) => {
    const status = Number(/\/status\/(\d{3})/.exec(request.url ?? "")?.[1] ?? 200);
    if (request.url?.startsWith("/slow")) return;
    if (request.url?.startsWith("/loop")) {
      response.writeHead(302, { location: "/loop" }).end();
      return;
    }
    if (request.url?.startsWith("/cut")) {
      response.writeHead(200, { "content-length": "5000" }).write("partial ");
      setTimeout(() => response.destroy(), 50);
      return;
    }
    if (request.url?.startsWith("/html")) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html><body><h1>How to fix connection errors</h1><p>Error: retry later</p></body></html>");
      return;
    }
    if (request.url?.startsWith("/npm/")) {
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error: "Not found" }));
      return;
    }
    const body = BODIES[status] ?? JSON.stringify({ status });
    const type = body.startsWith("{") ? "application/json" : "text/html";
    const extra = status === 429 ? { "retry-after": "30" } : {};
    response.writeHead(status, { "content-type": type, ...extra }).end(body);
  });
  const reset = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.resetAndDestroy());
  });
  const silent = createTcpServer((socket) => {
    socket.on("error", () => {});
  });
  const servers = [web, reset, silent];
  const [http, resetPort, silentPort] = await Promise.all(servers.map(listen));
  return {
    words: {
      http: http as string,
      reset: resetPort as string,
      silent: silentPort as string,
      pg: `-h 127.0.0.1 -p ${postgres?.port ?? "1"} -U postgres`,
    },
    close: () => {
      postgres?.stop();
      web.closeAllConnections();
      for (const server of servers) server.close();
    },
  };
}
