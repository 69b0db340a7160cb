import { place, show } from "../state.ts";

interface ChoiceProps {
  readonly label: string;
  /** Where it stands in the address. */
  readonly name: string;
  readonly options: readonly (string | readonly [value: string, text: string])[];
}

/** A filter with known values; what the address names is always among them. */
export function Choice({ label, name, options }: ChoiceProps) {
  const chosen = place.value.query[name] ?? "";
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  const isKnown = chosen === "" || pairs.some(([value]) => value === chosen);
  return (
    <label class={`choice ${chosen === "" ? "" : "choice-set"}`}>
      <span class="hidden">{label}</span>
      <select value={chosen} onChange={(event) => show({ [name]: event.currentTarget.value })}>
        <option value="">{label}: any</option>
        {!isKnown && <option value={chosen}>{cut(chosen)}</option>}
        {pairs.map(([value, text]) => (
          <option key={value} value={value}>
            {cut(text)}
          </option>
        ))}
      </select>
    </label>
  );
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
