import { matchesGlob, type UserRule } from "../../core/detect/index.ts";

/** What the user decided about reading texts; the same for proxy, hooks and imports. */
export interface DetectSettings {
  /** `false`: only flags and stated exit statuses decide. */
  readonly heuristics: boolean;
  /** Where only flags decide although texts are read elsewhere. */
  readonly flagOnly: { readonly upstreams: readonly string[]; readonly tools: readonly string[] };
  readonly rules: readonly UserRule[];
}

export const DEFAULT_DETECT_SETTINGS: DetectSettings = {
  heuristics: true,
  flagOnly: { upstreams: [], tools: [] },
  rules: [],
};

/** Are texts read for the results of this tool, from this upstream? */
export function usesHeuristics(
  settings: DetectSettings,
  upstream: string | undefined,
  tool: string | undefined,
): boolean {
  if (!settings.heuristics) return false;
  const { upstreams, tools } = settings.flagOnly;
  if (upstream !== undefined && upstreams.includes(upstream)) return false;
  return tool === undefined || !tools.some((glob) => matchesGlob(glob, tool));
}
