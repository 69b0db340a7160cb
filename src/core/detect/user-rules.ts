import { CATEGORIES, type Category } from "../model/outcome.ts";
import { createSignal, type Signal } from "./signal.ts";
import type { TextWindow } from "./text/text-window.ts";

/**
 * A rule of the user's own: which texts of which tool mean which failure, or that it worked.
 *
 * @example
 * const rule: UserRule = { id: "vpn", contains: "vpn is down", category: "network" };
 */
export interface UserRule {
  readonly id: string;
  /** What a matching result is; `ok` for texts that look like failures and are none. */
  readonly category: Category | "ok";
  /** A tool's name, or a glob over it; absent: every tool. */
  readonly tool?: string;
  /** The text holds these words; letter case is ignored. */
  readonly contains?: string;
  /** The text's first line as a whole looks like this glob (`*` any characters, `?` one); letter case is ignored. */
  readonly glob?: string;
}

/** What is wrong with a rule, with the key that is wrong. */
export interface UserRuleProblem {
  readonly kind: "user-rule-problem";
  /** `2.glob`: the third rule's glob. */
  readonly path: string;
  readonly message: string;
}

/** Rules as they may be used, and what was refused. */
export interface CheckedRules {
  readonly kind: "checked-rules";
  readonly rules: readonly UserRule[];
  readonly problems: readonly UserRuleProblem[];
}

const MAX_RULES = 200;
const MAX_PATTERN = 200;
/** Each star multiplies what a matcher may have to try; four are more than anybody needs. */
const MAX_STARS = 4;
const KEYS = new Set(["id", "category", "tool", "contains", "glob"]);

/**
 * Checks rules from a configuration. A rule that is wrong, or whose pattern could take long, is refused and named.
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
    if (problems.length === before) {
      const { id, ...rest } = item as UserRule;
      rules.push({ id: id ?? `${index}`, ...rest });
    }
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
    complain(path, "must be a text that is not blank");
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
    complain(path, "is a glob, not a regular expression: only * and ? stand for other characters");
  } else if (value.split("*").length - 1 > MAX_STARS) {
    complain(path, `at most ${MAX_STARS} stars: more could take long to match`);
  } else if (value.replaceAll("*", "").replaceAll("?", "") === "") {
    complain(path, "must hold more than stars and question marks");
  }
}

/** Does the whole text look like the glob? Greedy with one step back per star: linear in text times stars. */
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

/** What the user's own rules say; the first that matches. */
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
