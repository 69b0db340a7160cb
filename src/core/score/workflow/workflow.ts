/** What kind of work a prompt asks for. `other` is an answer: a "yes, go on" asks for nothing of its own. */
export const WORKFLOWS = [
  "bug_fix",
  "feature",
  "refactor",
  "test",
  "docs",
  "review",
  "ops",
  "exploration",
  "other",
] as const;
export type Workflow = (typeof WORKFLOWS)[number];
