import { execFile } from "node:child_process";
import { cpSync, lchownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { freePort } from "./free-port.ts";
import { requireInCi } from "./not-run.ts";
import { canEveryoneReach, type OtherUser, otherUser, sharedTemporaryFolder } from "./other-user.ts";
import { findProgram, missingPrograms, npmInitdb } from "./programs.ts";

/** A PostgreSQL server started for tests; never the one that the distribution may run. */
export interface TestPostgres {
  /** The database `postgres`, from which others are created. */
  readonly url: string;
  readonly port: number;
  /** `immediate` is a crash: the server flushes nothing to disk. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Creates an empty database on the same server. */
  newDatabase(): Promise<string>;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** The folder of `initdb` and `pg_ctl`; by default the installed one, or the one from npm. */
  readonly bin?: string;
  /** Without it a crash may lose committed data: faster, for tests without crashes. */
  readonly fsync?: boolean;
}

export async function startPostgres({ bin, fsync = false }: PostgresOptions = {}): Promise<TestPostgres> {
  const { installed, npm } = postgresBinaries();
  const programs = bin ?? installed ?? npm;
  if (programs === undefined) throw new Error(missingPrograms("PostgreSQL")?.text);
  // The server refuses to run as root, so root runs it as an unprivileged user.
  const user = otherUser();
  const folder = mkdtempSync(join(user === undefined ? tmpdir() : sharedTemporaryFolder(), "toolmend-pg-"));
  if (user !== undefined) lchownSync(folder, user.uid, user.gid);
  try {
    return await startIn(
      folder,
      user === undefined ? programs : reachableBinaries(programs, folder, user),
      fsync,
      user,
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, bin: string, fsync: boolean, user?: OtherUser): Promise<TestPostgres> {
  const data = join(folder, "data");
  const run = async (program: string, ...args: string[]): Promise<void> => {
    try {
      await promisify(execFile)(join(bin, program), args, { cwd: folder, ...user });
    } catch (error) {
      const { message, stderr } = error as { message: string; stderr?: string };
      throw new Error(`${program} failed: ${stderr || message}`);
    }
  };
  let port = 0;
  const start = async (): Promise<void> => {
    // No Unix socket: its path would be limited to 107 bytes, and other programs could look for it.
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=100 -c fsync=${fsync ? "on" : "off"}`;
    await run("pg_ctl", "-w", "-t", "300", "-D", data, "-l", join(folder, "log"), "-o", settings, "start");
  };
  const stop = (mode: "fast" | "immediate" = "fast"): Promise<void> =>
    run("pg_ctl", "-w", "-t", "300", "-D", data, "-m", mode, "stop");
  await run("initdb", "-D", data, "-A", "trust", "-U", "toolmend", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8");
  for (let attempt = 1; ; attempt += 1) {
    port = await freePort();
    try {
      await start();
      break;
    } catch (error) {
      // Another program may have taken the port in between.
      if (attempt === 5) throw error;
    }
  }
  const url = `postgres://toolmend@127.0.0.1:${port}/postgres`;
  return {
    url,
    port,
    start,
    stop,
    newDatabase: () => newDatabase(url),
    async close() {
      // May be stopped already.
      await stop("immediate").catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let databases = 0;

/** Creates an empty database on a server that several test processes may share. */
export async function newDatabase(server: string): Promise<string> {
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  const sql = postgres(server, { max: 1 });
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  return server.replace(/\/postgres$/, `/${name}`);
}

/**
 * Copies programs inside a private clone, or installed with a umask of 077, to a folder where the other user can run
 * them.
 */
function reachableBinaries(bin: string, folder: string, { uid, gid }: OtherUser): string {
  if (canEveryoneReach(join(bin, "initdb"))) return bin;
  const copy = join(folder, "programs");
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
  lchownSync(copy, uid, gid);
  for (const name of readdirSync(copy, { recursive: true })) lchownSync(join(copy, String(name)), uid, gid);
  return join(copy, "bin");
}

/** The available servers: the installed one, and the one from npm; undefined where missing. */
export function postgresBinaries(): { readonly installed?: string; readonly npm?: string } {
  const [installed, npm] = [findProgram("PostgreSQL"), npmInitdb()];
  return {
    ...(installed !== undefined && { installed: dirname(installed) }),
    ...(npm !== undefined && { npm: dirname(npm) }),
  };
}

/** Why tests that need PostgreSQL cannot run here; undefined when they can. */
export function postgresProblem(): string | undefined {
  const { installed, npm } = postgresBinaries();
  return (installed ?? npm) ? undefined : requireInCi(missingPrograms("PostgreSQL")?.text);
}
