import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder that contains package.json: two levels up from both src/cli and dist/cli. */
export const packageRoot: string = fileURLToPath(new URL("../..", import.meta.url));

interface PackageFile {
  readonly version: string;
}

const packageFile: PackageFile = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

export const { version } = packageFile;
