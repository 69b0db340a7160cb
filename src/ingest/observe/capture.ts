/** How much text is stored; see docs/decisions/0004. */
export const CAPTURES = ["none", "errors", "full"] as const;
export type Capture = (typeof CAPTURES)[number];
