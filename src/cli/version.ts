import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json: the same two levels up from src/cli and from dist/cli. */
export const packageRoot: string = fileURLToPath(new URL("../..", import.meta.url));

interface PackageFile {
  readonly version: string;
}

const packageFile: PackageFile = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

export const { version } = packageFile;
