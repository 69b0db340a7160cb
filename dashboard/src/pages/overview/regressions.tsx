import type { TitledError } from "../../../../src/api/error-title.ts";
import type { RegressionsResponse } from "../../../../src/api/errors.ts";
import type { ToolRegression } from "../../../../src/api/regressions.ts";
import { AdviceLine } from "../../components/advice.tsx";
import { Category } from "../../components/category.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, percent } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";

const MAX_REGRESSIONS = 7;

/** Tools that fail more often than in the previous 7 days, and new errors. */
export function RegressionsPanel() {
  const { value, isOld } = useQuery<RegressionsResponse>(inRange("/api/regressions"));
  const tools = value?.tools ?? [];
  const newErrors = value?.fingerprints ?? [];
  const nothing = value !== undefined && tools.length + newErrors.length === 0;
  return (
    <Panel title="Regressions" note="compared with the previous 7 days" busy={isOld} class="worse">
      {nothing && (
        <EmptyMessage>
          {value.compared ? (
            <>
              <Glyph tone="ok" label="good" /> No tool fails more often than before, and no new errors.
            </>
          ) : (
            "No comparison: nothing was recorded in the previous 7 days."
          )}
        </EmptyMessage>
      )}
      <ul class="lines">
        {tools.slice(0, MAX_REGRESSIONS).map((tool) => (
          <Tool key={tool.tool} tool={tool} />
        ))}
        {newErrors.slice(0, Math.max(2, MAX_REGRESSIONS - tools.length)).map((row) => (
          <NewError key={`${row.project} ${row.fingerprint}`} row={row} />
        ))}
      </ul>
      <AdviceLine error={value?.top_error} />
    </Panel>
  );
}

function Tool({ tool }: { readonly tool: ToolRegression }) {
  return (
    <li>
      <Link page="tool" query={{ name: tool.tool }} class="line" row>
        <Glyph tone="bad" label="fails more often" />
        <UntrustedText text={tool.tool} />
        <span class="line-end">
          {percent(tool.baseline_rate)} → <strong class="tone-bad">{percent(tool.rate)}</strong>{" "}
          <span class="faint">of {count(tool.judged)}</span>
        </span>
      </Link>
    </li>
  );
}

function NewError({ row }: { readonly row: TitledError }) {
  return (
    <li>
      <Link page="errors" query={{ open: row.fingerprint }} class="line" row>
        <span class="badge">new</span>
        <UntrustedText text={row.sample === "" ? row.category : row.title} />
        <span class="line-end">
          {row.sample !== "" && <Category name={row.category} />} {count(row.count)}×{" "}
          <span class="faint">{row.first_at !== null && <TimeAgo at={Date.parse(row.first_at)} />}</span>
        </span>
      </Link>
    </li>
  );
}
