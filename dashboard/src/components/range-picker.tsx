import { show, view } from "../state.ts";
import { RANGES, type RangeName } from "../view.ts";

const MEANING: Readonly<Record<RangeName, string>> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  all: "All time",
};

export function RangePicker() {
  return (
    <fieldset class="ranges">
      <legend class="hidden">Time range</legend>
      {RANGES.map((range) => (
        <label key={range} title={`${MEANING[range]}${range === "all" ? "" : ", by whole hours"}`}>
          <input
            type="radio"
            name="range"
            aria-label={MEANING[range]}
            checked={view.value.range === range}
            onChange={() => show({ range })}
          />
          <span aria-hidden="true">{range}</span>
        </label>
      ))}
    </fieldset>
  );
}
