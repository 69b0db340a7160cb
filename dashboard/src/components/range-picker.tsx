import { RANGES, type RangeName } from "../route.ts";
import { range as chosen, show } from "../state.ts";

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
            checked={chosen.value === range}
            onChange={() => show({ range })}
          />
          <span aria-hidden="true">{range}</span>
        </label>
      ))}
    </fieldset>
  );
}
