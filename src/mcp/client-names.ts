import { clientProfileNamed } from "../core/detect/clients/choose-profile.ts";

/** The client's name in records, from the name that it sends to servers. */
export function clientName(sent: string): string {
  if (sent.toLowerCase().startsWith("qwen-cli")) return "qwen-code";
  const profile = clientProfileNamed(sent);
  return profile === "plain" ? sent : profile;
}

const MAX_GEMINI_CHARS = 63;
const GEMINI_PART_CHARS = 30;

/**
 * The name under which a client offers a server's tool to the model, as measured with the clients. Servers and tools
 * may contain any separator, so such a name cannot be split again.
 */
export function modelToolName(client: string | undefined, server: string, tool: string): string {
  switch (client) {
    case "codex":
      return `mcp__${clean(server, /[^A-Za-z0-9_]/g)}.${clean(tool, /[^A-Za-z0-9_]/g)}`;
    case "opencode":
      return `${clean(server)}_${clean(tool)}`;
    case "gemini-cli": {
      const name = clean(`mcp_${server}_${tool}`, /[^a-zA-Z0-9_.:-]/g);
      if (name.length <= MAX_GEMINI_CHARS) return name;
      return `${name.slice(0, GEMINI_PART_CHARS)}...${name.slice(-GEMINI_PART_CHARS)}`;
    }
    default:
      return `mcp__${clean(server)}__${clean(tool)}`;
  }
}

function clean(name: string, refused = /[^a-zA-Z0-9_-]/g): string {
  return name.replace(refused, "_");
}
