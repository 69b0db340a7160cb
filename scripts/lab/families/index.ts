// All families of the laboratory.
import type { Family, Producer } from "../types.ts";
import { CATALOGS } from "./catalogs.ts";
import { COMPILERS } from "./compilers.ts";
import { COREUTILS } from "./coreutils.ts";
import { DOCUMENTS } from "./documents.ts";
import { FILE_TOOLS } from "./file-tools.ts";
import { GIT } from "./git.ts";
import { HTTP } from "./http.ts";
import { INFRA } from "./infra.ts";
import { LANGUAGES } from "./languages.ts";
import { LIMITS } from "./limits.ts";
import { LINTERS } from "./linters.ts";
import { MCP } from "./mcp.ts";
import { NODE } from "./node.ts";
import { OPERATIONS } from "./operations.ts";
import { PACKAGES } from "./packages.ts";
import { PYTHON } from "./python.ts";
import { REMOTE } from "./remote.ts";
import { SCIENCE } from "./science.ts";
import { SENTENCES } from "./sentences.ts";
import { SHELLS } from "./shells.ts";
import { STRUCTURED } from "./structured.ts";
import { TALK } from "./talk.ts";
import { TESTING } from "./testing.ts";
import { USAGE } from "./usage.ts";

export const FAMILIES: readonly Family[] = [
  ...[COREUTILS, SHELLS, GIT, PYTHON, NODE, STRUCTURED, TALK, USAGE],
  ...[INFRA, COMPILERS, LANGUAGES, HTTP, PACKAGES, LINTERS, TESTING],
  ...[DOCUMENTS, OPERATIONS, SCIENCE, REMOTE],
];
export const PRODUCERS: readonly Producer[] = [FILE_TOOLS, LIMITS, SENTENCES, MCP, CATALOGS];
