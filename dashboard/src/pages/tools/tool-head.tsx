import { SortHeader } from "../../components/sort-header.tsx";
import type { Sort } from "../../sort.ts";
import type { ToolColumn } from "./tool-columns.ts";

export function ToolHead({ sort }: { readonly sort: Sort<ToolColumn> }) {
  return (
    <thead>
      <tr>
        <SortHeader sort={sort} column="name" label="Tool" hint="Name, as the model called it" isText />
        <SortHeader sort={sort} column="calls" label="Calls" hint="Calls whose result was seen" class="num" />
        <SortHeader sort={sort} column="failed" label="Failed" hint="Calls that failed" class="num" />
        <SortHeader sort={sort} column="rate" label="Fail %" hint="Failed of those with a verdict" class="num rate" />
        <th scope="col" class="num interval mid-only" title="95 % interval of the rate">
          95 %
        </th>
        <SortHeader
          sort={sort}
          column="change"
          label="Change"
          hint="Points against the window before"
          class="num change mid-only"
        />
        <SortHeader
          sort={sort}
          column="excess"
          label="Excess"
          hint="Failures beyond what the average tool would have with so many calls"
          class="num mid-only"
        />
        <th scope="col" class="bar-cell wide-only" title="Failures: called wrongly, refused, ran and failed">
          Call/gate/run
        </th>
        <SortHeader
          sort={sort}
          column="category"
          label="Mostly"
          hint="The most frequent kind of failure"
          class="category mid-only"
          isText
        />
        <SortHeader
          sort={sort}
          column="recovered"
          label="Recov."
          hint="Failures that a later try put right"
          class="num wide-only"
        />
        <SortHeader
          sort={sort}
          column="p95"
          label="p95"
          hint="95 % of the measured runs took less"
          class="num time wide-only"
        />
        <th scope="col" class="trend wide-only">
          Trend
        </th>
      </tr>
    </thead>
  );
}
