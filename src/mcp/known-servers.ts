import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileSchema, type SchemaNode } from "../core/calls/index.ts";
import { type Fields, isArray, isObject } from "../core/model/narrow.ts";
import { replaceOwnFile } from "../ingest/own-file.ts";
import type { DeclaredTool } from "./event.ts";

/** The tools a server listed, and its behavior in its last run. One file per server in the data folder. */
export interface KnownServer {
  readonly v: 1;
  /** The server's name in the client's configuration. */
  readonly server: string;
  /** As the server named itself when it listed its tools. */
  readonly server_name?: string;
  readonly server_version?: string;
  readonly tools: readonly DeclaredTool[];
  /** Lines on stdout that are not messages, in the run that ended last. */
  readonly noise?: { readonly lines: number; readonly ended_at: number };
}

/** A tool with compiled schemas. */
export interface KnownTool {
  readonly name: string;
  readonly input: SchemaNode | undefined;
  readonly output: SchemaNode | undefined;
  /** The server declares that the tool may destroy data. */
  readonly isDestructive: boolean;
  /** Arguments are repeated in HTTP headers (`Mcp-Param-…`). */
  readonly hasHeaderArguments: boolean;
}

interface Loaded {
  readonly known: KnownServer;
  /** Compiled when first called. */
  readonly compiled: Map<string, KnownTool>;
}

const MAX_TOOLS = 2000;
const EXTENSION = ".json";

/**
 * Caches what MCP servers declare about their tools. A list and the calls after it may be in different files of the
 * spool, and a Toolmend server may start in between.
 */
export class KnownServers {
  readonly #folder: string;
  readonly #loaded = new Map<string, Loaded>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param header of the file that contains the line */
  addTools(header: Fields, { is_first, tools }: Fields): void {
    const { server } = header;
    if (typeof server !== "string" || !isArray(tools)) return;
    const before = this.#known(server);
    const info = isObject(header.server_info) ? header.server_info : {};
    const listed = tools.filter(isDeclaredTool);
    const names = new Set(listed.map(({ name }) => name));
    const earlier = is_first === true ? [] : (before?.tools ?? []).filter(({ name }) => !names.has(name));
    this.#save({
      v: 1,
      server,
      ...(typeof info.name === "string" && { server_name: info.name }),
      ...(typeof info.version === "string" && { server_version: info.version }),
      tools: [...earlier, ...listed].slice(0, MAX_TOOLS),
      ...(before?.noise !== undefined && { noise: before.noise }),
    });
  }

  /** A run that is read twice counts once, because only the last run is stored. */
  addRun({ server }: Fields, { noise_lines, ended_at }: Fields): void {
    if (typeof server !== "string" || typeof noise_lines !== "number" || typeof ended_at !== "number") return;
    const before = this.#known(server) ?? { v: 1, server, tools: [] };
    if (ended_at < (before.noise?.ended_at ?? 0)) return;
    this.#save({ ...before, noise: { lines: noise_lines, ended_at } });
  }

  /** Undefined if the tool is unknown, or was listed by another server of the same name. */
  toolOf(
    server: string,
    tool: string,
    info: { readonly name: string | undefined; readonly version: string | undefined },
  ): KnownTool | undefined {
    const known = this.#known(server);
    if (known === undefined || differ(known.server_name, info.name) || differ(known.server_version, info.version))
      return undefined;
    const compiled = this.#loaded.get(server)?.compiled;
    const before = compiled?.get(tool);
    if (before !== undefined) return before;
    const declared = known.tools.find(({ name }) => name === tool);
    if (declared === undefined) return undefined;
    const { input_schema, output_schema, is_destructive } = declared;
    const result = {
      name: tool,
      input: input_schema === undefined ? undefined : compileSchema(input_schema),
      output: output_schema === undefined ? undefined : compileSchema(output_schema),
      isDestructive: is_destructive === true,
      hasHeaderArguments: input_schema !== undefined && JSON.stringify(input_schema).includes('"x-mcp-header"'),
    };
    compiled?.set(tool, result);
    return result;
  }

  #known(server: string): KnownServer | undefined {
    const loaded = this.#loaded.get(server)?.known;
    if (loaded !== undefined) return loaded;
    const known = readServer(this.#path(server));
    if (known?.server !== server) return undefined;
    this.#loaded.set(server, { known, compiled: new Map() });
    return known;
  }

  #save(known: KnownServer): void {
    const text = JSON.stringify(known);
    const before = this.#known(known.server);
    if (before !== undefined && JSON.stringify(before) === text) return;
    this.#loaded.set(known.server, { known, compiled: new Map() });
    const path = this.#path(known.server);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      replaceOwnFile(path, text);
    } catch {
      // The disk is full or read-only: until the next start, the copy in memory is enough.
    }
  }

  /** A name may contain any character. */
  #path(server: string): string {
    return join(this.#folder, `${hash("sha256", server, "hex").slice(0, 24)}${EXTENSION}`);
  }
}

/** All servers of a data folder, by name. */
export function listKnownServers(folder: string): readonly KnownServer[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(EXTENSION));
  } catch {
    // No wrapper has run yet.
  }
  return names.flatMap((name) => readServer(join(folder, name)) ?? []).sort((a, b) => (a.server < b.server ? -1 : 1));
}

function readServer(path: string): KnownServer | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isObject(value) || value.v !== 1 || typeof value.server !== "string" || !isArray(value.tools))
      return undefined;
    return { ...(value as unknown as KnownServer), tools: value.tools.filter(isDeclaredTool) };
  } catch {
    return undefined;
  }
}

function isDeclaredTool(tool: unknown): tool is DeclaredTool {
  return isObject(tool) && typeof tool.name === "string";
}

/** Whether both are known and differ. */
function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
