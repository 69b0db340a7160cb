import { show } from "../state.ts";

export function NothingInRange() {
  return (
    <section class="empty">
      <h2>Nothing in this time range</h2>
      <p>Earlier calls are recorded. New ones show here as they happen.</p>
      <button type="button" onClick={() => show({ range: "all" })}>
        Show all time
      </button>
    </section>
  );
}
