import { createColors, percent, pluralize } from "../format.ts";
import type { Io } from "../io.ts";
import { oneLineText, shorten } from "../table.ts";
import type { Overview } from "./overview.ts";

/** The overview for people: what was read, what fails, and the next steps. */
export function overviewText(overview: Overview, io: Io): string {
  const lines =
    overview.calls === 0
      ? [...nothingLines(overview, io), "", ...firstSteps(overview)]
      : [readText(overview), ...totalLines(overview, io), "", ...problemLines(overview, io), ...nextLines(overview)];
  return lines.map((line) => `${line}\n`).join("");
}

function nothingLines(overview: Overview, { environment: { HOME = "" } }: Io): readonly string[] {
  if (overview.files_found > 0) return [`${readText(overview)} No tool calls found in them.`];
  const folders = overview.folders.map((folder) =>
    oneLineText(HOME !== "" && folder.startsWith(`${HOME}/`) ? `~${folder.slice(HOME.length)}` : folder),
  );
  return ["No transcripts of coding agents found in:", ...folders.map((folder) => `  ${folder}`)];
}

function firstSteps({ next }: Overview): readonly string[] {
  return [`See it with generated data:  ${next.demo}`, `Record your own agents:      ${next.start}`];
}

function readText({ files_found, files_read, files_partial, files_unreadable, next }: Overview): string {
  const partial = files_partial > 0 ? ", the last one in part" : "";
  const unreadable = files_unreadable > 0 ? ` ${files_unreadable} could not be read.` : "";
  const isCut = files_partial > 0 || files_read < files_found;
  const more = isCut ? ` \`${next.more}\` reads more.` : "";
  return `Read ${files_read} of ${pluralize(files_found, "file")}, newest first${partial}. Nothing was stored.${unreadable}${more}`;
}

function totalLines(overview: Overview, io: Io): readonly string[] {
  const { calls, sessions, failed, failure_rate, sessions_in_trouble, sessions_unhealthy, sessions_looping } = overview;
  const paint = createColors(io);
  const failures = `${failed} failed (${percent(failure_rate)} % of calls with a known outcome)`;
  const trouble = `${sessions_in_trouble} (${sessions_unhealthy} unhealthy, ${sessions_looping} with a loop)`;
  return [
    paint("strong", `${pluralize(calls, "call")} in ${pluralize(sessions, "session")}: ${failures}`),
    paint(sessions_in_trouble > 0 ? "bad" : "good", `Sessions in trouble: ${trouble}`),
  ];
}

/** One line per problem, and one for its advice if no earlier problem has the same. */
function problemLines({ problems }: Overview, io: Io): readonly string[] {
  if (problems.length === 0) return [];
  const paint = createColors(io);
  const width = Math.max(...problems.map(({ count }) => String(count).length));
  const shown = new Set<string>();
  const lines = problems.flatMap(({ count, message, advice }) => {
    const line = shorten(`${String(count).padStart(width)}× ${oneLineText(message)}`, Math.max(40, io.width));
    if (advice === null || shown.has(advice.text)) return [line];
    shown.add(advice.text);
    // Not truncated, because users paste it.
    return [line, `${" ".repeat(width + 2)}${paint("faint", oneLineText(advice.text))}`];
  });
  return [...lines, ""];
}

function nextLines({ next }: Overview): readonly string[] {
  return [
    `Dashboard:    ${next.start}    (with these transcripts: ${next.import})`,
    `Your client:  ${oneLineText(next.connect)}`,
  ];
}
