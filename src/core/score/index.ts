// The entry point `toolmend/score`: computes links, scores and health from the outcomes of a session. Pure.
export { CASCADE_RULES, type CallLinks, type CascadeRule } from "../model/call-links.ts";
export { type ChainCall, LINK_WINDOW } from "./chain-call.ts";
export { compareToOverall, type OutcomeCounts, type RateComparison, wilsonInterval } from "./excess.ts";
export { errorTemplate, fingerprintOf } from "./fingerprint/error-template.ts";
export {
  HEALTH_THRESHOLDS,
  type Health,
  type HealthFigures,
  type HealthThresholds,
  rateHealth,
  sessionHealth,
} from "./health.ts";
export { chainContext, type ToolChainContext } from "./relink.ts";
export {
  type CallScores,
  findDominantFailureMode,
  isExcused,
  isRoot,
  isUnrecovered,
  listScores,
  SCORE_DOMINANT_FAILURE_MODE,
  SCORE_ERROR_SEVERITY,
  SCORE_FAILURE_CATEGORY,
  SCORE_IS_CASCADE_FAILURE,
  SCORE_SESSION_HEALTH,
  SCORE_SESSION_RATE_HEALTH,
  SCORE_SESSION_SUCCESS_RATE,
  SCORE_TOOL_SUCCESS,
  type Score,
  type ScoredCall,
  type ScoreName,
  type ScoreType,
  type SessionAggregates,
  type SessionScores,
  scoreCall,
  scoreId,
  scoreSession,
  sessionAggregates,
  successRate,
} from "./scores.ts";
export { classifyWorkflow, type WorkflowMatch } from "./workflow/classify-workflow.ts";
export { WORKFLOWS, type Workflow } from "./workflow/workflow.ts";
