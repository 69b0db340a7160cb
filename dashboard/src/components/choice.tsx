import { visible } from "../format.ts";
import type { Query } from "../route.ts";
import { place, show } from "../state.ts";

interface ChoiceProps {
  readonly label: string;
  /** Name of its query parameter. */
  readonly name: string;
  /** Label of the option that filters nothing. */
  readonly none?: string;
  /** Other parameters that a change resets. */
  readonly resets?: Query;
  readonly options: readonly (string | readonly [value: string, text: string])[];
}

/** A filter with known values. A value from the URL is always offered, even if unknown. */
export function Choice({ label, name, none = `${label}: any`, resets = {}, options }: ChoiceProps) {
  const chosen = place.value.query[name] ?? "";
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  const isKnown = chosen === "" || pairs.some(([value]) => value === chosen);
  return (
    <span class={`choice ${chosen === "" ? "" : "choice-set"}`}>
      <select
        aria-label={label}
        value={chosen}
        onChange={(event) => show({ [name]: event.currentTarget.value, ...resets })}
      >
        <option value="">{none}</option>
        {!isKnown && <option value={chosen}>{cut(chosen)}</option>}
        {pairs.map(([value, text]) => (
          <option key={value} value={value}>
            {cut(text)}
          </option>
        ))}
      </select>
    </span>
  );
}

function cut(text: string): string {
  const letters = [...visible(text)];
  return letters.length > 60 ? `${letters.slice(0, 60).join("")}…` : letters.join("");
}
