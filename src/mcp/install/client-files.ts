import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { InstallEnvironment, Scope } from "../../hook/install/settings-paths.ts";

/** Clients whose configuration of MCP servers can be changed. */
export const MCP_CLIENTS = ["claude-code", "codex", "opencode", "gemini", "qwen", "cursor", "vscode"] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

/** A configuration file, and the position of its servers. */
export interface ClientFile {
  readonly client: McpClient;
  readonly scope: Scope;
  readonly path: string;
  readonly format: "json" | "toml";
  /** Names that lead to the object with the servers; several such objects in one file. */
  readonly places: readonly (readonly string[])[];
}

/** The name of Toolmend's own server in a configuration. */
export const OWN_SERVER = "toolmend";

/** The file to which `mcp serve --install` adds Toolmend's own server. */
export function ownServerFile(client: "claude-code", install: InstallEnvironment): ClientFile {
  const [file] = clientFiles(client, "user", install);
  if (file === undefined) throw new RangeError(`no configuration of ${client}`);
  return file;
}

/** The list of servers in {@link ownServerFile}. */
export const OWN_SERVER_LIST = "mcpServers";

/** The files in which a client looks for servers. `project` files are usually shared with others. */
export function clientFiles(client: McpClient, scope: Scope, install: InstallEnvironment): readonly ClientFile[] {
  const { environment, folder } = install;
  const home = environment.HOME ?? homedir();
  const inProject = (...names: readonly string[]): string => resolve(folder, ...names);
  const json = (path: string, ...places: readonly (readonly string[])[]): ClientFile => ({
    ...{ client, scope, path, format: "json", places },
  });
  const isUser = scope === "user";
  switch (client) {
    case "claude-code": {
      if (!isUser) return [json(inProject(".mcp.json"), ["mcpServers"])];
      const file = join(environment.CLAUDE_CONFIG_DIR ?? home, ".claude.json");
      return [json(file, ["mcpServers"], ["projects", folder, "mcpServers"])];
    }
    case "codex": {
      const path = isUser
        ? join(environment.CODEX_HOME ?? join(home, ".codex"), "config.toml")
        : inProject(".codex", "config.toml");
      return [{ client, scope, path, format: "toml", places: [] }];
    }
    case "opencode": {
      const root = isUser ? join(environment.XDG_CONFIG_HOME ?? join(home, ".config"), "opencode") : resolve(folder);
      return ["opencode.json", "opencode.jsonc"].map((name) => json(join(root, name), ["mcp"]));
    }
    case "gemini":
      return [
        json(isUser ? join(home, ".gemini", "settings.json") : inProject(".gemini", "settings.json"), ["mcpServers"]),
      ];
    case "qwen":
      return [
        json(isUser ? join(home, ".qwen", "settings.json") : inProject(".qwen", "settings.json"), ["mcpServers"]),
      ];
    case "cursor":
      return [json(isUser ? join(home, ".cursor", "mcp.json") : inProject(".cursor", "mcp.json"), ["mcpServers"])];
    case "vscode":
      return [json(isUser ? join(vscodeFolder(home), "mcp.json") : inProject(".vscode", "mcp.json"), ["servers"])];
  }
}

function vscodeFolder(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User");
  if (platform === "win32") return join(home, "AppData", "Roaming", "Code", "User");
  return join(home, ".config", "Code", "User");
}
