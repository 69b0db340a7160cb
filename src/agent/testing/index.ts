/**
 * Test utilities for agents: a scripted model and a manual clock.
 * @module
 */
export {
  type CollectedRun,
  collectRun,
  type RecordedRequest,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModel,
} from "./scripted-model.ts";
export { createTestClock, type TestClock } from "./test-clock.ts";
