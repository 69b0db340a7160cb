import { range, show } from "../state.ts";

export function EmptyRange({ title = "Nothing in this time range" }: { readonly title?: string }) {
  const isAll = range.value === "all";
  return (
    <section class="empty">
      <h2>{title}</h2>
      <p>
        {isAll
          ? "New calls appear here as they are recorded."
          : "Earlier calls may exist. New ones appear here as they are recorded."}
      </p>
      {!isAll && (
        <button type="button" onClick={() => show({ range: "all" })}>
          Show all time
        </button>
      )}
    </section>
  );
}
