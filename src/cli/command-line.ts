import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./version.ts";

/** A command line of Toolmend that works as printed: through npm in a clone, through npx in an installed package. */
export function commandLine(args: string, root = packageRoot): string {
  const isClone = existsSync(join(root, "src", "cli", "main.ts"));
  return `${isClone ? "npm run -s toolmend --" : "npx toolmend"} ${args}`;
}
