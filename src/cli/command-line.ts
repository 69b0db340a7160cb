import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { defaultDataPath } from "../ingest/data-folder.ts";
import { oneLineText } from "./table.ts";
import { packageRoot } from "./version.ts";

let prefix: string | undefined;

/** Options that a suggested command must repeat, so that it reads the same records. */
export interface StorePlace {
  readonly data?: string;
  readonly store?: string;
  readonly config?: string;
}

/** A command line of Toolmend that works as printed, in a clone and in an installed package. */
export function commandLine(args: string, place: StorePlace = {}): string {
  prefix ??= commandPrefix(packageRoot, process.env);
  const options = placeOptions(place);
  return options === "" ? `${prefix} ${args}` : `${prefix} ${args} ${options}`;
}

/** The options of a location, as a shell reads them; empty for the default location. */
export function placeOptions({ data, store, config }: StorePlace): string {
  return [
    ...(data === undefined || data === defaultDataPath() ? [] : [`--data ${quoteForShell(data)}`]),
    // The URL may contain a password.
    ...(store === undefined ? [] : ["--store URL"]),
    ...(config === undefined ? [] : [`--config ${quoteForShell(config)}`]),
  ].join(" ");
}

/** An argument as a POSIX shell reads it. */
export function quoteForShell(text: string): string {
  return /^[\w./:@+=,-]+$/.test(text) ? text : `'${oneLineText(text).replaceAll("'", "'\\''")}'`;
}

/** Uses npm in a clone, the plain name if the shell finds this installation, and npx otherwise. */
export function commandPrefix(root: string, environment: NodeJS.ProcessEnv): string {
  if (existsSync(join(root, "src", "cli", "main.ts"))) return "npm run -s toolmend --";
  // npm extends PATH for the programs it runs; the user's shell does not have these folders.
  if (environment.npm_command === undefined && isOnPath(root, environment.PATH ?? "")) return "toolmend";
  return "npx toolmend";
}

function isOnPath(root: string, path: string): boolean {
  const bin = join(root, "bin", "toolmend.mjs");
  return path.split(delimiter).some((folder) => {
    const file = join(folder, "toolmend");
    try {
      accessSync(file, constants.X_OK);
      return folder !== "" && realpathSync(file) === realpathSync(bin);
    } catch {
      return false;
    }
  });
}
