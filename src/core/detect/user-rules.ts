import type { Category } from "../model/outcome.ts";

/** A rule of the user's own: which texts of which tool mean which failure. */
export interface UserRule {
  readonly id: string;
  readonly category: Category | "ok";
  /** Tool name, or an anchored glob over it; absent: every tool. */
  readonly tool?: string;
  /** The text holds these words, letter case ignored. */
  readonly contains?: string;
  /** The text's first line matches this anchored glob, letter case ignored. */
  readonly glob?: string;
}
