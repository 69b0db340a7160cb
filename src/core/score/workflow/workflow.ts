/** What a prompt asks for. `other` includes replies such as "yes, go on", which contain no request. */
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
