// All families of the laboratory.
import type { Family, Producer } from "../types.ts";
import { COREUTILS } from "./coreutils.ts";
import { GIT } from "./git.ts";
import { NODE } from "./node.ts";
import { PYTHON } from "./python.ts";
import { SHELLS } from "./shells.ts";

export const FAMILIES: readonly Family[] = [COREUTILS, SHELLS, GIT, PYTHON, NODE];
export const PRODUCERS: readonly Producer[] = [];
