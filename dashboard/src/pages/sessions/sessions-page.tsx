import type { PricedSession } from "../../../../src/api/prices.ts";
import { CATEGORIES } from "../../../../src/core/model/outcome.ts";
import { WORKFLOWS } from "../../../../src/core/score/workflow/workflow.ts";
import { Choice } from "../../components/choice.tsx";
import { FilterBox } from "../../components/filter-box.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { inRange, useQuery } from "../../queries.ts";
import { place, show } from "../../state.ts";
import { useNames } from "../../use-names.ts";
import { SessionsTable } from "./sessions-table.tsx";

const STEP = 200;
const MAX_SESSIONS = 1000;

const HEALTHS = ["unhealthy", "degraded", "healthy", ["insufficient", "no known outcome"]] as const;
const SEVERITIES = [
  [">=0.9", "0.9 and worse"],
  [">=0.7", "0.7 and worse"],
  [">=0.5", "0.5 and worse"],
  ["<0.5", "below 0.5"],
] as const;
const SORTS = [
  ["failures", "most failures"],
  ["unrecovered", "most unrecovered"],
  ["severity", "worst severity"],
] as const;

/** Sessions, with filters that combine. */
export function SessionsPage() {
  const { health, severity, category, workflow, tool, model, looping, text, sort, limit } = place.value.query;
  const wanted = Math.min(MAX_SESSIONS, Math.max(STEP, Number(limit) || STEP));
  const path = inRange("/api/sessions", {
    ...{ health, severity, category, workflow, tool, model, looping, text, sort, limit: String(wanted) },
  });
  const { value, isOld } = useQuery<{ readonly rows: readonly PricedSession[] }>(path);
  const rows = value?.rows ?? [];
  const isFiltered = [health, severity, category, workflow, tool, model, looping, text].some(
    (one) => (one ?? "") !== "",
  );
  const isFull = rows.length >= wanted;
  return (
    <>
      <PageHead title="Sessions">
        <FilterBox label="Folder, branch, task, tool, text of a failure, id …" name="text" />
        <Filters />
        {isFiltered && (
          <button type="button" class="quiet" onClick={() => show(NO_FILTER)}>
            Clear filters
          </button>
        )}
      </PageHead>
      {value === undefined ? (
        <Waiting />
      ) : (
        <Panel
          title="Sessions"
          note={`${rows.length}${isFull ? " first" : ""}${isFiltered ? " matching" : ""}`}
          rows={rows}
          busy={isOld}
        >
          <SessionsTable
            rows={rows}
            nothing={isFiltered ? "No matching sessions." : "No active sessions in this time range."}
          />
          {isFull && wanted < MAX_SESSIONS && (
            <button type="button" class="more" onClick={() => show({ limit: String(wanted + STEP) })}>
              Show more
            </button>
          )}
        </Panel>
      )}
    </>
  );
}

const NO_FILTER = { health: "", severity: "", category: "", workflow: "", tool: "", model: "", looping: "", text: "" };

function Filters() {
  const tools = useNames("tool");
  const models = useNames("model");
  return (
    <>
      <Choice label="Health" name="health" options={HEALTHS} />
      <Choice label="Category" name="category" options={CATEGORIES} />
      <Choice label="Severity" name="severity" options={SEVERITIES} />
      <Choice label="Tool" name="tool" options={tools} />
      <Choice label="Model" name="model" options={models} />
      <Choice label="Workflow" name="workflow" options={WORKFLOWS} />
      <Choice label="Loops" name="looping" options={[["true", "with a loop"]]} />
      <Choice label="Order" name="sort" none="Newest first" options={SORTS} />
    </>
  );
}
