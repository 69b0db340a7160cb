import type { SessionRow } from "../../src/store/port.ts";
import { MENU, PAGES, type PageName, type Query } from "./route.ts";
import { labelOf } from "./session-label.ts";

/** A destination of the palette. */
export interface Place {
  readonly id: string;
  readonly kind: "page" | "tool" | "model" | "error" | "session";
  readonly name: string;
  readonly hint: string;
  readonly page: PageName;
  readonly query: Query;
}

interface Known {
  readonly tools: readonly string[];
  readonly models: readonly string[];
  readonly errors: readonly {
    readonly project: string;
    readonly fingerprint: string;
    readonly title: string;
    readonly category: string;
    readonly sample: string;
  }[];
  /** The store has already searched these. */
  readonly sessions: readonly SessionRow[];
  readonly ago: (at: string) => string;
}

const MAX_PER_KIND = 6;

/** The places whose name contains every word of a text: pages first, then the closest matches. */
export function placesFor(text: string, { tools, models, errors, sessions, ago }: Known): readonly Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word));
  const some = <T>(items: readonly T[], name: (item: T) => string): readonly T[] =>
    items.filter((item) => matches(name(item))).slice(0, MAX_PER_KIND);
  const ofProject = (project: string): Query => (project === "default" ? {} : { project });
  return [
    ...some(MENU, (page) => PAGES[page].title).map(
      (page): Place => ({ id: page, kind: "page", name: PAGES[page].title, hint: "", page, query: {} }),
    ),
    ...(words.length === 0 ? [] : some(tools, (name) => name)).map(
      (name): Place => ({ id: `tool ${name}`, kind: "tool", name, hint: "", page: "tool", query: { name } }),
    ),
    ...(words.length === 0 ? [] : some(models, (name) => name)).map(
      (name): Place => ({ id: `model ${name}`, kind: "model", name, hint: "", page: "calls", query: { model: name } }),
    ),
    ...(words.length === 0 ? [] : some(errors, ({ title, sample, category }) => `${title} ${sample} ${category}`)).map(
      ({ project, fingerprint, title, category }): Place => ({
        ...{ id: `error ${project} ${fingerprint}`, kind: "error", name: title, hint: category, page: "error" },
        query: { fingerprint, ...ofProject(project) },
      }),
    ),
    ...sessions.map(
      (session): Place => ({
        ...{ id: `session ${session.project} ${session.session_id}`, kind: "session", page: "session" },
        name: labelOf(session),
        hint: [session.task, ago(session.last_at)].filter((part) => part !== null).join(" · "),
        query: { id: session.session_id, ...ofProject(session.project) },
      }),
    ),
  ];
}
