/** The paths of the dashboard's pages. Shared with the server, which returns 404 for all others. */
export const PAGE_PATHS = {
  overview: "/",
  tools: "/tools",
  errors: "/errors",
  models: "/models",
  sessions: "/sessions",
  calls: "/calls",
  live: "/live",
  setup: "/setup",
  tool: "/tool",
  session: "/session",
  error: "/error",
} as const;
