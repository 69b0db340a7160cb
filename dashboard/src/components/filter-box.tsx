import { useEffect, useRef } from "preact/hooks";
import { show, view } from "../state.ts";

export function FilterBox() {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLInputElement && event.target.type !== "radio") return;
      event.preventDefault();
      box.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <label class="filter">
      <span class="hidden">Filter tools and sessions</span>
      <input
        ref={box}
        type="search"
        placeholder="Filter tools and sessions"
        title="Press / to come here"
        autocomplete="off"
        spellcheck={false}
        value={view.value.filter}
        onInput={(event) => show({ filter: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") show({ filter: "" });
        }}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </label>
  );
}
