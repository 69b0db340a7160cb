import { spawn } from "node:child_process";
import { once } from "node:events";

const LOCK_PROGRAM = `
  const { DatabaseSync } = require("node:sqlite");
  const db = new DatabaseSync(process.argv[1]);
  db.exec("BEGIN EXCLUSIVE");
  process.stdout.write("locked");
  process.stdin.once("data", () => { db.exec("ROLLBACK"); process.exit(0); });
`;

/** Another process that locks a database exclusively until it is closed. */
export async function lockStore(path: string): Promise<{ release(): Promise<void>; close(): Promise<void> }> {
  const child = spawn(process.execPath, ["-e", LOCK_PROGRAM, path], { stdio: ["pipe", "pipe", "ignore"] });
  const closed = once(child, "close");
  await Promise.race([
    once(child.stdout, "data"),
    closed.then(() => {
      throw new Error("the database could not be locked");
    }),
  ]);
  return {
    async release() {
      child.stdin.end("release");
      await closed;
    },
    async close() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
