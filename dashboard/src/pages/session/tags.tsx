import type { CallRow } from "../../../../src/store/port.ts";

/** How a call stands to others, in a word each. */
export function Tags({ call }: { readonly call: CallRow }) {
  const tags = [
    call.retry_of !== null && `try ${(call.retry_count ?? 0) + 1}`,
    call.cascade_of !== null && "follow-on",
    call.status === "failed" && call.recovered_by !== null && "put right",
    call.origin === "recovered" && "mended",
    call.soft && "soft",
    call.inherited && "inherited",
  ].filter((tag) => tag !== false);
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} class={`tag ${tag === "follow-on" ? "tag-bad" : ""}`}>
          {tag}
        </span>
      ))}
    </>
  );
}
