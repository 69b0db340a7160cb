import module from "node:module";
import { dirname } from "node:path";

/** The environment of a worker thread: it uses the compile cache of this process, which it does not do by itself. */
export function workerEnvironment(): NodeJS.ProcessEnv {
  // The folder below the chosen one belongs to a version of Node.
  const folder = module.getCompileCacheDir?.();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
