import { messageOf } from "../../core/model/errors.ts";
import { canonicalText } from "../../core/model/facts.ts";
import { isArray, present } from "../../core/model/narrow.ts";
import { itemSpans, type JsonSpan, memberSpans } from "../../core/repair/json/json-spans.ts";
import { type Fields, isFields } from "../hook-event.ts";

/** The `hooks` section of a settings file: a list of groups per event, each with a list of hooks. */
export type HookGroups = { readonly [event: string]: readonly Fields[] };

export type HookPredicate = (hook: Fields) => boolean;

/** The settings cannot be edited safely. Nothing was changed. */
export class SettingsError extends Error {
  readonly code = "unusable-settings";
  override readonly name = "SettingsError";
}

/** Appends groups to those in the settings. Every other byte stays unchanged. */
export function addGroups(text: string, groups: HookGroups): string {
  hooksIn(text);
  let next = text.trim() === "" ? "{}\n" : text;
  for (const [event, added] of Object.entries(groups)) {
    for (const group of added) next = addGroup(next, event, group);
  }
  return next;
}

/** Removes Toolmend hooks, and the group, event or `hooks` section that becomes empty. */
export function removeToolmendHooks(text: string, isToolmendHook: HookPredicate): string {
  let next = text;
  for (
    let found = findFirstHook(next, isToolmendHook);
    found !== undefined;
    found = findFirstHook(next, isToolmendHook)
  ) {
    next = removeAt(next, found);
  }
  return next;
}

/** Returns the groups that contain Toolmend hooks, reduced to those hooks. */
export function toolmendGroups(text: string, isToolmendHook: HookPredicate): HookGroups {
  const found: Record<string, Fields[]> = {};
  for (const [event, groups] of Object.entries(hooksIn(text))) {
    for (const group of groups) {
      const toolmendHooks = hooksOf(group).filter(isToolmendHook);
      if (toolmendHooks.length > 0) found[event] = [...(found[event] ?? []), { ...group, hooks: toolmendHooks }];
    }
  }
  return found;
}

export function sameGroups(a: HookGroups, b: HookGroups): boolean {
  return canonicalText(a) === canonicalText(b);
}

/** Parses the hooks in a settings text. Throws if they do not have the documented shape. */
function hooksIn(text: string): { readonly [event: string]: readonly Fields[] } {
  const settings = parseSettings(text);
  const { hooks } = settings;
  if (hooks === undefined) return {};
  if (!isFields(hooks)) throw new SettingsError('"hooks" is not an object');
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => {
      if (!isArray(groups) || !groups.every(isFields))
        throw new SettingsError(`"hooks.${event}" is not a list of objects`);
      return [event, groups];
    }),
  );
}

export function parseSettings(text: string): Fields {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new SettingsError(`it is not valid JSON (${messageOf(error)})`, { cause: error });
  }
  if (!isFields(value)) throw new SettingsError("it does not contain a JSON object");
  return value;
}

function hooksOf(group: Fields): readonly Fields[] {
  return isArray(group.hooks) ? group.hooks.filter(isFields) : [];
}

function addGroup(text: string, event: string, group: Fields): string {
  const root = startOf(text);
  const hooks = memberSpans(text, root)?.get("hooks");
  if (hooks === undefined) return addMember(text, root, 0, "hooks", { [event]: [group] });
  const list = memberSpans(text, hooks.start)?.get(event);
  if (list === undefined) return addMember(text, hooks.start, 1, event, [group]);
  const items = itemSpans(text, list.start) ?? [];
  return insert(text, list, items.at(-1)?.end, 2, (depth) => renderJson(text, group, depth));
}

function addMember(text: string, object: number, depth: number, name: string, value: unknown): string {
  const end = membersOf(text, object).at(-1)?.[1].end;
  const span = { start: object, end: closingOf(text, object, end) + 1 };
  return insert(text, span, end, depth, (at) => `${JSON.stringify(name)}: ${renderJson(text, value, at)}`);
}

/** Appends a value to a container in the formatting of the file. */
function insert(
  text: string,
  container: JsonSpan,
  lastEnd: number | undefined,
  depth: number,
  write: (depth: number) => string,
): string {
  const { unit, eol } = formattingOf(text);
  const lineStart = (at: number): string => eol + unit.repeat(at);
  if (lastEnd !== undefined) {
    return `${text.slice(0, lastEnd)},${lineStart(depth + 1)}${write(depth + 1)}${text.slice(lastEnd)}`;
  }
  const inner = `${lineStart(depth + 1)}${write(depth + 1)}${lineStart(depth)}`;
  return text.slice(0, container.start + 1) + inner + text.slice(container.end - 1);
}

function renderJson(text: string, value: unknown, depth: number): string {
  const { unit, eol } = formattingOf(text);
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + unit.repeat(depth));
}

/** Detects the file's indentation and line endings. */
function formattingOf(text: string): { readonly unit: string; readonly eol: string } {
  return { unit: /\n([ \t]+)"/.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function startOf(text: string): number {
  return text.indexOf("{");
}

function closingOf(text: string, object: number, lastEnd: number | undefined): number {
  return text.indexOf("}", lastEnd ?? object);
}

/** Position of a Toolmend hook. Without `hook`, the whole group consists of Toolmend hooks. */
interface HookLocation {
  readonly event: string;
  readonly group: number;
  readonly hook?: number;
}

function findFirstHook(text: string, isToolmendHook: HookPredicate): HookLocation | undefined {
  for (const [event, groups] of Object.entries(hooksIn(text))) {
    for (const [at, group] of groups.entries()) {
      const hooks = hooksOf(group);
      const hook = hooks.findIndex(isToolmendHook);
      if (hook === -1) continue;
      return hooks.every(isToolmendHook) ? { event, group: at } : { event, group: at, hook };
    }
  }
  return undefined;
}

function removeAt(text: string, { event, group, hook }: HookLocation): string {
  const root = startOf(text);
  const hooks = present(memberSpans(text, root)?.get("hooks"));
  const list = present(memberSpans(text, hooks.start)?.get(event));
  const groups = present(itemSpans(text, list.start));
  if (hook !== undefined) {
    const inner = present(memberSpans(text, present(groups[group]).start)?.get("hooks"));
    return cutItem(text, present(itemSpans(text, inner.start)), hook);
  }
  if (groups.length > 1) return cutItem(text, groups, group);
  if ((memberSpans(text, hooks.start)?.size ?? 0) > 1) return cutMember(text, hooks.start, event);
  return cutMember(text, root, "hooks");
}

function membersOf(text: string, object: number): readonly (readonly [name: string, span: JsonSpan])[] {
  return [...(memberSpans(text, object) ?? [])].sort(([, a], [, b]) => a.start - b.start);
}

function cutItem(text: string, items: readonly JsonSpan[], at: number): string {
  const { start, end } = present(items[at]);
  const before = items[at - 1];
  if (before !== undefined) return text.slice(0, before.end) + text.slice(end);
  const next = items[at + 1];
  return text.slice(0, start) + text.slice(next?.start ?? end);
}

function cutMember(text: string, object: number, name: string): string {
  const members = membersOf(text, object);
  const at = members.findIndex(([one]) => one === name);
  const end = members[at]?.[1].end ?? object;
  const before = members[at - 1]?.[1];
  if (before !== undefined) return text.slice(0, before.end) + text.slice(end);
  if (members.length === 1) return `${text.slice(0, object + 1)}${text.slice(closingOf(text, object, end))}`;
  const comma = text.indexOf(",", end);
  return text.slice(0, object + 1) + text.slice(comma + 1);
}
