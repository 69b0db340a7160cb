/**
 * What tests of agents need: a model that follows a script and a clock that obeys.
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
