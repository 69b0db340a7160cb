import type { RankedRow } from "../../../src/api/ranked-row.ts";
import { compareWords } from "../compare-words.ts";
import { visible } from "../format.ts";
import { place } from "../state.ts";
import { Choice } from "./choice.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { EmptyMessage, Panel } from "./panel.tsx";

interface ComparePanelProps {
  readonly what: "models" | "tools";
  /** Most notable first. */
  readonly rows: readonly RankedRow[];
}

/** Two models or tools side by side, in words. Starts with the two that have the most calls. */
export function ComparePanel({ what, rows }: ComparePanelProps) {
  const known = rows.filter(({ ok, failed }) => ok + failed > 0);
  if (known.length < 2) return null;
  const [first, second] = known.toSorted((a, b) => b.calls - a.calls);
  const { a = first?.key, b = second?.key } = place.value.query;
  const chosen = [a, b].map((key) => known.find((row) => row.key === key));
  const names = known.map(({ key }) => key);
  const [left, right] = chosen;
  return (
    <Panel title="Compare" note={`two ${what}`}>
      <div class="panel-body compare-body">
        <p class="compare-choices">
          <Choice label={`First of two ${what}`} name="a" none={visible(first?.key ?? "")} options={names} />
          <span class="faint">and</span>
          <Choice label={`Second of two ${what}`} name="b" none={visible(second?.key ?? "")} options={names} />
        </p>
        {left === undefined || right === undefined ? (
          <EmptyMessage>One of them has no call with a known outcome in this range.</EmptyMessage>
        ) : (
          <>
            {[left, right].map((row) => (
              <div key={row.key} class="compare-row">
                <bdi class="clip">{visible(row.key)}</bdi>
                <OutcomeBar tally={row} />
              </div>
            ))}
            <p>
              <bdi>{visible(compareWords({ ...left, name: left.key }, { ...right, name: right.key }))}</bdi>
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}
