import type { CoverageResponse, SourceCoverage } from "../../../../src/api/coverage.ts";
import type { CoverageLevel, CoverageTopic } from "../../../../src/hook/coverage.ts";
import { Panel } from "../../components/panel.tsx";
import { Scrollable } from "../../components/scrollable.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";

const TOPICS: Readonly<Record<CoverageTopic, string>> = {
  successes: "Successes",
  failed_runs: "Failed runs",
  wrong_calls: "Invalid calls",
  denied: "Denied",
  unfinished: "Unfinished",
  model: "Model",
  duration: "Duration",
  prompts: "Prompts",
  subagents: "Subagents",
  leaks: "Leaks",
  tokens: "Tokens",
};
const MARKS: Readonly<Record<CoverageLevel, readonly [glyph: string, word: string, tone: string]>> = {
  yes: ["✓", "recorded", "ok"],
  partly: ["~", "partly recorded", "warn"],
  no: ["–", "not recorded", "none"],
};

/** What each source can and cannot record, so that missing data is not mistaken for health. */
export function CoverageTable() {
  const { value, isOld } = useQuery<CoverageResponse>(inRange("/api/coverage"));
  return (
    <Panel title="Coverage" note={value && noteOf(value.looked_at)} rows={value?.rows} busy={isOld}>
      <Scrollable class="heat-scroll" label="What each source records">
        <table class="coverage" aria-label="Coverage">
          <thead>
            <tr>
              <th scope="col" class="heat-tool">
                Source
              </th>
              <th scope="col" class="num">
                Sessions
              </th>
              {Object.values(TOPICS).map((title) => (
                <th scope="col" key={title} class="mark">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {value?.rows.map((row) => (
              <Source key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      </Scrollable>
    </Panel>
  );
}

function noteOf(sessions: number): string {
  return sessions === 0
    ? "what each source can record; nothing was recorded in this range"
    : `of the newest ${count(sessions)} sessions in this range`;
}

function Source({ row }: { readonly row: SourceCoverage }) {
  return (
    <tr class={row.sessions === 0 ? "few" : ""} title={row.note}>
      <th scope="row" class="heat-tool">
        <span class="source-name">
          {row.title}{" "}
          {row.basis === "documented" && (
            <span class="tag" title="Based on its published payloads; not tested with the agent">
              as documented
            </span>
          )}
        </span>
        <span class="source-note">{row.note}</span>
      </th>
      <td class="num">
        {count(row.sessions)}
        <span class="source-note">
          {row.last_at === null ? "nothing recorded" : <TimeAgo at={Date.parse(row.last_at)} />}
        </span>
      </td>
      {(Object.keys(TOPICS) as CoverageTopic[]).map((topic) => {
        const [glyph, word, tone] = MARKS[row.topics[topic]];
        return (
          <td key={topic} class={`mark tone-${tone}`} title={`${TOPICS[topic]}: ${word}`}>
            <span role="img" aria-label={word}>
              {glyph}
            </span>
          </td>
        );
      })}
    </tr>
  );
}
