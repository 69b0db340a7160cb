import { matchesGlob, type UserRule } from "../../core/detect/index.ts";

/** Detection settings of the user; the same for proxy, hooks and imports. */
export interface DetectSettings {
  /** `false`: only flags and explicit exit codes decide. */
  readonly heuristics: boolean;
  /** Exceptions for which only flags decide. */
  readonly flagOnly: { readonly upstreams: readonly string[]; readonly tools: readonly string[] };
  readonly rules: readonly UserRule[];
}

export const DEFAULT_DETECT_SETTINGS: DetectSettings = {
  heuristics: true,
  flagOnly: { upstreams: [], tools: [] },
  rules: [],
};

/** Whether text heuristics apply to results of this tool from this upstream. */
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
