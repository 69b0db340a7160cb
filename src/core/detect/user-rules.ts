import { CATEGORIES, type Category } from "../model/outcome.ts";
import { createSignal, type Signal } from "./signal.ts";
import type { TextWindow } from "./text/text-window.ts";

/**
 * A rule defined by the user: which text of which tool means a failure of which category, or a success.
 *
 * @example
 * const rule: UserRule = { id: "vpn", contains: "vpn is down", category: "network" };
 */
export interface UserRule {
  readonly id: string;
  /** Category of a matching result; `ok` for text that only looks like a failure. */
  readonly category: Category | "ok";
  /** Name of a tool, or a glob. Every tool if absent. */
  readonly tool?: string;
  /** Matches if the text contains this, ignoring case. */
  readonly contains?: string;
  /** Matches if the whole first line matches this glob (`*` any characters, `?` one), ignoring case. */
  readonly glob?: string;
}

/** An invalid rule, with the key at fault. */
export interface UserRuleProblem {
  readonly kind: "user-rule-problem";
  /** `2.glob` is the glob of the third rule. */
  readonly path: string;
  readonly message: string;
}

/** The valid rules, and the problems of the rejected ones. */
export interface CheckedRules {
  readonly kind: "checked-rules";
  readonly rules: readonly UserRule[];
  readonly problems: readonly UserRuleProblem[];
}

const MAX_RULES = 200;
const MAX_PATTERN = 200;
/** Each star multiplies the matching time. */
const MAX_STARS = 4;
const KEYS = new Set(["id", "category", "tool", "contains", "glob"]);

/**
 * Validates rules from a configuration. Rejects and reports rules that are invalid or could take long to match.
 *
 * @example
 * checkUserRules([{ id: "vpn", contains: "vpn is down", category: "network" }]).problems; // []
 */
export function checkUserRules(value: unknown): CheckedRules {
  const problems: UserRuleProblem[] = [];
  const rules: UserRule[] = [];
  const complain = (path: string, message: string): void => {
    problems.push({ kind: "user-rule-problem", path, message });
  };
  if (value === undefined) {
    return { kind: "checked-rules", rules, problems };
  }
  if (!Array.isArray(value)) {
    complain("", "must be a list of rules");
    return { kind: "checked-rules", rules, problems };
  }
  if (value.length > MAX_RULES) {
    complain("", `at most ${MAX_RULES} rules`);
  }
  value.slice(0, MAX_RULES).forEach((item: unknown, index) => {
    const before = problems.length;
    checkRule(item, `${index}`, complain);
    if (problems.length > before) return;
    const { id = `${index}`, ...rest } = item as UserRule;
    if (rules.some((rule) => rule.id === id)) complain(`${index}.id`, "is the id of another rule");
    else rules.push({ id, ...rest });
  });
  return { kind: "checked-rules", rules, problems };
}

function checkRule(item: unknown, path: string, complain: (path: string, message: string) => void): void {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    complain(path, "must be an object");
    return;
  }
  const { id, category, tool, contains, glob } = item as Record<string, unknown>;
  for (const key of Object.keys(item)) {
    if (!KEYS.has(key)) {
      complain(`${path}.${key}`, "is not a key of a rule (id, category, tool, contains, glob)");
    }
  }
  if (id !== undefined && (typeof id !== "string" || !/^[\w.-]{1,60}$/.test(id))) {
    complain(`${path}.id`, "must be 1 to 60 letters, digits, '.', '_' or '-'");
  }
  if (category !== "ok" && !(CATEGORIES as readonly unknown[]).includes(category)) {
    complain(`${path}.category`, `must be "ok" or one of ${CATEGORIES.join(", ")}`);
  }
  if ((contains === undefined) === (glob === undefined)) {
    complain(path, "needs exactly one of contains and glob");
  }
  checkWords(contains, `${path}.contains`, complain);
  checkGlob(glob, `${path}.glob`, complain);
  checkGlob(tool, `${path}.tool`, complain);
}

function checkWords(value: unknown, path: string, complain: (path: string, message: string) => void): void {
  if (value === undefined) {
    return;
  }
  if (typeof value !== "string" || value.trim() === "") {
    complain(path, "must be text that is not blank");
  } else if (value.length > MAX_PATTERN) {
    complain(path, `at most ${MAX_PATTERN} characters`);
  }
}

function checkGlob(value: unknown, path: string, complain: (path: string, message: string) => void): void {
  checkWords(value, path, complain);
  if (typeof value !== "string") {
    return;
  }
  if (/[\\^$()[\]{}|+]/.test(value) || value.includes(".*")) {
    complain(path, "is a glob, not a regular expression: only * and ? match other characters");
  } else if (value.split("*").length - 1 > MAX_STARS) {
    complain(path, `at most ${MAX_STARS} stars: more could take long to match`);
  } else if (value.replaceAll("*", "").replaceAll("?", "") === "") {
    complain(path, "must contain more than stars and question marks");
  }
}

/** Whether the whole text matches the glob. Greedy with one backtrack position: linear in text length times stars. */
export function matchesGlob(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (g < glob.length && (glob[g] === "?" || glob[g] === text[t]) && glob[g] !== "*") {
      g += 1;
      t += 1;
    } else if (glob[g] === "*") {
      star = g;
      resume = t;
      g += 1;
    } else if (star !== -1) {
      g = star + 1;
      resume += 1;
      t = resume;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") {
    g += 1;
  }
  return g === glob.length;
}

/** Returns the signal of the first matching user rule. */
export function findUserRule(
  window: TextWindow,
  tool: string | undefined,
  rules: readonly UserRule[],
): Signal | undefined {
  const { text, start, end } = window;
  const lower = text.slice(start, end).toLowerCase();
  const newline = lower.indexOf("\n");
  const firstLine = lower.slice(0, Math.min(newline === -1 ? lower.length : newline, 1000)).trimEnd();
  for (const rule of rules) {
    if (rule.tool !== undefined && !matchesGlob(rule.tool.toLowerCase(), (tool ?? "").toLowerCase())) {
      continue;
    }
    const at = rule.contains === undefined ? -1 : lower.indexOf(rule.contains.toLowerCase());
    if (at === -1 && (rule.glob === undefined || !matchesGlob(rule.glob.toLowerCase(), firstLine))) {
      continue;
    }
    const place = start + Math.max(at, 0);
    const words = text.slice(place, Math.min(end, place + 300)).split("\n", 1)[0] ?? "";
    return rule.category === "ok"
      ? createSignal("success", `user-${rule.id}`, place, words, 0.9, { final: true })
      : createSignal("failure", `user-${rule.id}`, place, words, 0.9, { category: rule.category, final: true });
  }
  return undefined;
}
