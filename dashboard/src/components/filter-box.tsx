import { place, show } from "../state.ts";

interface FilterBoxProps {
  readonly label: string;
  /** Name of its query parameter. */
  readonly name?: "filter" | "text";
}

export function FilterBox({ label, name = "filter" }: FilterBoxProps) {
  return (
    <label class="filter">
      <span class="hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        title="Press / to focus"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        value={place.value.query[name] ?? ""}
        onInput={(event) => show({ [name]: event.currentTarget.value, cursor: "" })}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </label>
  );
}
