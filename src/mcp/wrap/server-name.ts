/** Programs that start the server which one of their arguments names. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  ...["node", "npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "tsx", "ts-node"],
  ...["python", "python3", "py", "uv", "uvx", "pipx"],
]);
const SUBCOMMANDS: ReadonlySet<string> = new Set(["run", "exec", "x", "dlx", "tool"]);
/** Options of launchers whose value is the next argument. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...["-p", "--package", "--import", "--loader", "-r", "--require", "--prefix", "--config"],
  ...["--from", "--with", "--python", "--directory", "--project", "-W", "-X"],
]);
/** Names of files and folders that occur in most servers. */
const GENERIC: ReadonlySet<string> = new Set([
  ...["index", "main", "server", "app", "cli", "__main__", "start"],
  ...["dist", "build", "lib", "src", "bin", "out"],
]);

/** The name of a server that was given none: the package, module or folder that the command starts. */
export function serverNameOf(command: string, args: readonly string[]): string {
  const program = lastPart(command).replace(/\.(?:exe|cmd|bat)$/i, "");
  if (!LAUNCHERS.has(program)) return program;
  const target = targetOf(args);
  return (target === undefined ? undefined : targetName(target)) ?? program;
}

function targetOf(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "-m") return args[at + 1];
    if (WITH_VALUE.has(arg)) at += 1;
    else if (!arg.startsWith("-") && !SUBCOMMANDS.has(arg)) return arg;
  }
  return undefined;
}

/** Of a package without its version, of a file without its suffix. */
function targetName(target: string): string | undefined {
  const names = target
    .split(/[\\/]/)
    .map((part) => part.replace(/(?<=.)@.*$/, "").replace(/\.(?:[cm]?[jt]s|py)$/, ""))
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return names.findLast((name) => !GENERIC.has(name) && !/^[a-z]+:$/i.test(name)) ?? names.at(-1);
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}
