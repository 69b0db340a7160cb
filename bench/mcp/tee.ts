// The reference: passes both streams of a server through and does nothing else.
import { spawn } from "node:child_process";

const [command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout);
server.on("exit", (code) => process.exit(code ?? 0));
