import { expect, it } from "vitest";
import * as core from "../../src/index.ts";

// The public names of the package. Adding one is safe; removing or renaming one breaks users.
it("toolmend exports extraction, classification and scores", () => {
  expect(Object.keys(core).toSorted()).toEqual(
    [
      "CATEGORIES",
      "ERROR_SEVERITY",
      "SCORE_DOMINANT_FAILURE_MODE",
      "SCORE_ERROR_SEVERITY",
      "SCORE_FAILURE_CATEGORY",
      "SCORE_IS_CASCADE_FAILURE",
      "SCORE_SESSION_HEALTH",
      "SCORE_SESSION_SUCCESS_RATE",
      "SCORE_TOOL_SUCCESS",
      "chainContext",
      "classifyToolResult",
      "createLeakScanner",
      "extractToolCalls",
      "findDominantFailureMode",
      "formatStatusMessage",
      "getErrorSeverity",
      "scoreCall",
      "scoreId",
      "scoreSession",
      "tryExtractLeakedToolCalls",
    ].toSorted(),
  );
});
