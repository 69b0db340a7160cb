import type { TitledError } from "../../../../src/api/error-title.ts";
import { CATEGORIES } from "../../../../src/core/model/outcome.ts";
import { ERROR_STATES } from "../../../../src/store/error-rows.ts";
import { Choice } from "../../components/choice.tsx";
import { FilterBox } from "../../components/filter-box.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { Panel, shownOf } from "../../components/panel.tsx";
import { filterRows } from "../../filter-rows.ts";
import { inRange, useQuery } from "../../queries.ts";
import { place, show } from "../../state.ts";
import { FingerprintPane } from "./fingerprint-pane.tsx";
import { FingerprintTable } from "./fingerprint-table.tsx";

const MAX_ERRORS = 500;

/** Distinct errors across sessions, most frequent first. */
export function ErrorsPage() {
  const { filter = "", category, tool, model, state = "", open = "" } = place.value.query;
  const path = inRange("/api/fingerprints", { category, tool, model, limit: String(MAX_ERRORS), advice: "false" });
  const { value, isOld } = useQuery<{ readonly rows: readonly TitledError[] }>(path);
  const inState = value?.rows.filter((row) => (state === "" ? isActive(row) : row.state === state || state === "all"));
  const rows = filterRows(inState ?? [], filter, (row) => [
    ...[row.sample, row.category, ...Object.keys(row.tools), ...Object.keys(row.models)],
  ]);
  const chosen = open === "" ? undefined : value?.rows.find(({ fingerprint }) => fingerprint === open);
  return (
    <div class={chosen === undefined ? "" : "with-pane"}>
      <div class="page-part">
        <PageHead title="Errors">
          <FilterBox label="Filter by message, tool, model" />
          <Choice label="Category" name="category" options={CATEGORIES} />
          <Choice label="State" name="state" none="Open and regressed" options={[...ERROR_STATES, "all"]} />
          {[tool, model].map(
            (name, at) =>
              name !== undefined && (
                <button
                  type="button"
                  key={name}
                  class="chip chip-button"
                  aria-label={`Remove the filter ${name}`}
                  onClick={() => show({ [at === 0 ? "tool" : "model"]: "" })}
                >
                  <bdi>{name}</bdi> ✕
                </button>
              ),
          )}
        </PageHead>
        {value === undefined ? (
          <Waiting />
        ) : (
          <Panel title="Errors" note={noteOf(rows.length, value.rows.length)} rows={rows} busy={isOld}>
            <FingerprintTable rows={rows} isFiltered={filter !== "" || category !== undefined || state !== ""} />
          </Panel>
        )}
      </div>
      {chosen !== undefined && <FingerprintPane row={chosen} />}
    </div>
  );
}

/** Resolved and ignored errors are shown on request. */
function isActive({ state }: TitledError): boolean {
  return state === "open" || state === "regressed";
}

function noteOf(shown: number, all: number): string {
  return `${shownOf(shown, all)}${all >= MAX_ERRORS ? " most frequent" : ""} ${all === 1 ? "error" : "errors"}`;
}
