import { type Flags, readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { type DetectOptions, detectCommand } from "./detect.ts";

/** `toolmend detect` with the rules from the user's configuration. */
export async function detectWithConfig(flags: DetectOptions & Pick<Flags, "config">, io: Io): Promise<number> {
  const { detect } = readConfig(flags.config === undefined ? {} : { config: flags.config }, io.environment);
  return await detectCommand(
    { ...flags, heuristics: flags.heuristics !== false && detect.heuristics, rules: detect.rules },
    { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
  );
}
