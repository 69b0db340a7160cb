/** Other gateways that stand between a client and a model. They route, and record nothing about tools. */
export interface Peer {
  readonly package: string;
  readonly version: string;
  /** Versions of its dependencies, where the newest do not work. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The module that starts it. */
  readonly program: string;
  readonly args: (port: number) => readonly string[];
  /** Settings, in a file in its home folder. */
  readonly config?: { readonly file: string; readonly content: (port: number, upstream: string) => object };
  /** Headers that name its upstream. */
  readonly headers?: (upstream: string, api: "anthropic" | "chat") => Readonly<Record<string, string>>;
  readonly apis: readonly ("anthropic" | "chat")[];
}

export type PeerName = "portkey" | "ccr";

export const PEERS: Readonly<Record<PeerName, Peer>> = {
  portkey: {
    ...{ package: "@portkey-ai/gateway", version: "1.15.2", program: "build/start-server.js" },
    // With newer ones, every stream ends in "TypeError: immutable".
    overrides: { "@hono/node-server": "1.12.0" },
    args: (port) => [`--port=${port}`, "--headless"],
    headers: (upstream, api) => ({
      "x-portkey-provider": api === "anthropic" ? "anthropic" : "openai",
      "x-portkey-custom-host": `${upstream}/v1`,
    }),
    apis: ["chat", "anthropic"],
  },
  // Accepts only Anthropic's API. The newest version whose packages the registry has.
  ccr: {
    ...{ package: "@musistudio/claude-code-router", version: "2.0.0", program: "dist/cli.js" },
    args: () => ["start"],
    config: {
      file: ".claude-code-router/config.json",
      content: (PORT, upstream) => ({
        ...{ LOG: false, HOST: "127.0.0.1", PORT, NON_INTERACTIVE_MODE: true },
        Providers: [
          {
            ...{ name: "bench", api_base_url: `${upstream}/v1/messages`, api_key: "bench", models: ["bench"] },
            transformer: { use: ["Anthropic"] },
          },
        ],
        Router: { default: "bench,bench" },
      }),
    },
    apis: ["anthropic"],
  },
};
