import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Next to node_modules, so that compiled modules find their packages. */
const folder = join(root, "node_modules/.cache/toolmend-bench");
let isCompiled = false;

/**
 * The path of a module as compiled for the published package: a process that strips types would also measure the
 * stripper.
 */
export function compiled(module: URL): URL {
  if (!isCompiled) compile();
  isCompiled = true;
  return pathToFileURL(join(folder, relative(root, fileURLToPath(module)).replace(/\.ts$/, ".js")));
}

function compile(): void {
  rmSync(folder, { recursive: true, force: true });
  const { status, stdout, error } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.bench.json"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the benchmark could not be compiled: ${error?.message ?? stdout}`);
  for (const store of ["sqlite", "postgres"]) {
    const migrations = `src/store/${store}/migrations`;
    cpSync(join(root, migrations), join(folder, migrations), { recursive: true });
  }
  cpSync(join(root, "package.json"), join(folder, "package.json"));
}
