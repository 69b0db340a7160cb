import type { ToolModelRow } from "../../../../src/store/port.ts";
import { CallsLink, KNOWN } from "../../components/calls-link.tsx";
import { Link } from "../../components/link.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { Scrollable } from "../../components/scrollable.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, percent, visible } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import { heatOf, heatStep } from "./heat.ts";

/** Failure rate per tool and model, to find failures specific to a pair. */
export function Heatmap() {
  const { value, isOld } = useQuery<{ readonly rows: readonly ToolModelRow[] }>(inRange("/api/tool-model"));
  const { models, tools, left_out } = heatOf(value?.rows ?? []);
  const [otherTools, otherModels] = left_out;
  const others =
    otherTools + otherModels > 0
      ? `, without the ${otherTools + otherModels} tools and models with the fewest calls`
      : "";
  return (
    <Panel title="Tool × model" note={`failure rate of each pair${others}`} rows={value?.rows} busy={isOld}>
      {value?.rows.length === 0 && <EmptyMessage>No calls recorded in this range.</EmptyMessage>}
      {tools.length > 0 && (
        <Scrollable class="heat-scroll" label="Pairs of tool and model">
          <table class="heat" aria-label="Failure rate by tool and model">
            <thead>
              <tr>
                <th scope="col" class="heat-tool">
                  Tool
                </th>
                {models.map((model) => (
                  <th scope="col" key={model}>
                    <Link page="calls" query={{ model }}>
                      <UntrustedText text={model} />
                    </Link>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {tools.map(({ tool, cells }) => (
                <tr key={tool}>
                  <th scope="row" class="heat-tool">
                    <Link page="tool" query={{ name: tool }} row>
                      <UntrustedText text={tool} />
                    </Link>
                  </th>
                  {cells.map((cell, at) => (
                    <Cell key={models[at]} cell={cell} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </Panel>
  );
}

function Cell({ cell }: { readonly cell: ToolModelRow | undefined }) {
  if (cell === undefined) return <td class="heat-none">·</td>;
  const known = cell.ok + cell.failed;
  const text = `${visible(cell.tool)} with ${visible(cell.model)}: ${count(cell.failed)} of ${count(known)} failed${cell.top_category === null ? "" : `, mostly ${cell.top_category}`}`;
  return (
    <td class={`heat-${heatStep(cell.failure_rate) ?? "none"}`} title={text}>
      <CallsLink calls={known} query={{ tool: cell.tool, model: cell.model, ...KNOWN }} class="heat-link">
        {percent(cell.failure_rate)}
        <span class="heat-count">{count(known)}</span>
      </CallsLink>
    </td>
  );
}
