import { show } from "../state.ts";

export function NothingInRange({ title = "Nothing in this time range" }: { readonly title?: string }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      <p>Earlier calls are recorded. New ones show here as they happen.</p>
      <button type="button" onClick={() => show({ range: "all" })}>
        Show all time
      </button>
    </section>
  );
}
