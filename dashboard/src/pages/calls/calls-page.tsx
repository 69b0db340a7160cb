import type { CallPage, ListedCall } from "../../../../src/store/port.ts";
import { FilterBox } from "../../components/filter-box.tsx";
import { Link } from "../../components/link.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { count, visible } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import { place, show } from "../../state.ts";
import { CallDetails } from "../session/call-pane.tsx";
import { ActiveFilters, CallFilters, filtersOf, NO_FILTERS } from "./call-filters.tsx";
import { CallsTable } from "./calls-table.tsx";

const PAGE_SIZE = 50;

/** Calls that match all filters. Every number of the dashboard leads here. */
export function CallsPage() {
  const { query } = place.value;
  const { text, sort, cursor, open } = query;
  const filters = filtersOf(query);
  const path = inRange("/api/calls", { ...filters, text, sort, cursor, limit: String(PAGE_SIZE) });
  const { value, isOld } = useQuery<CallPage>(path);
  const chosen = open === undefined ? undefined : value?.calls.find(({ id }) => id === open);
  const isFiltered = text !== undefined || Object.keys(filters).length > 0;
  return (
    <div class={chosen === undefined ? "" : "with-pane"}>
      <div class="page-part">
        <PageHead title="Calls">
          <FilterBox label="Tool, message, arguments, result, call id" name="text" />
          <CallFilters />
          {isFiltered && (
            <button type="button" class="quiet" onClick={() => show(NO_FILTERS)}>
              Clear filters
            </button>
          )}
          <ActiveFilters />
        </PageHead>
        {value === undefined ? (
          <Waiting />
        ) : (
          <Panel title="Calls" note={noteOf(value, cursor)} rows={value.calls} busy={isOld}>
            <CallsTable rows={value.calls} usual="recent" nothing={nothing(value, isFiltered)} />
            <Pages page={value} cursor={cursor} />
          </Panel>
        )}
      </div>
      {chosen !== undefined && <ListedCallPane call={chosen} />}
    </div>
  );
}

function noteOf({ calls, total, next_cursor }: CallPage, cursor: string | undefined): string {
  if (total === null) return `${calls.length}${next_cursor === null ? "" : " or more"} matching`;
  return total === calls.length && cursor === undefined ? count(total) : `${calls.length} of ${count(total)}`;
}

function nothing({ next_cursor }: CallPage, isFiltered: boolean): string {
  if (next_cursor !== null) return "No matching calls among those searched so far. Older calls may match.";
  return isFiltered ? "No matching calls in this time range." : "No calls with a result in this time range.";
}

function Pages({ page: { next_cursor }, cursor }: { readonly page: CallPage; readonly cursor: string | undefined }) {
  if (next_cursor === null && cursor === undefined) return null;
  return (
    <p class="parts">
      <button type="button" disabled={cursor === undefined} onClick={() => show({ cursor: "", open: "" })}>
        First page
      </button>
      <button
        type="button"
        disabled={next_cursor === null}
        onClick={() => {
          show({ cursor: next_cursor ?? "", open: "" });
          scrollTo(0, 0);
        }}
      >
        Next page
      </button>
    </p>
  );
}

export function ListedCallPane({ call }: { readonly call: ListedCall }) {
  const session = { id: call.session_id, ...(call.project !== "default" && { project: call.project }) };
  return (
    <CallDetails
      call={call}
      title={visible(call.tool_name)}
      linkTo={(id) => (
        <Link page="session" query={{ ...session, open: id }}>
          the call in its session
        </Link>
      )}
      links={
        <Link page="session" query={{ ...session, open: call.id }}>
          This call in its session
        </Link>
      }
    />
  );
}
