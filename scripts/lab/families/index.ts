// All families of the laboratory.
import type { Family, Producer } from "../types.ts";
import { COMPILERS } from "./compilers.ts";
import { COREUTILS } from "./coreutils.ts";
import { GIT } from "./git.ts";
import { INFRA } from "./infra.ts";
import { NODE } from "./node.ts";
import { PYTHON } from "./python.ts";
import { SHELLS } from "./shells.ts";
import { STRUCTURED } from "./structured.ts";

export const FAMILIES: readonly Family[] = [COREUTILS, SHELLS, GIT, PYTHON, NODE, STRUCTURED, INFRA, COMPILERS];
export const PRODUCERS: readonly Producer[] = [];
