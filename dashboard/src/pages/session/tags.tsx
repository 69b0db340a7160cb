import type { CallRow } from "../../../../src/store/port.ts";
import { UntrustedText } from "../../components/untrusted-text.tsx";

/** What rows of sessions and of the list of calls have in common. */
export type AnyCall = Omit<CallRow, "scores">;

/** A call's links to other calls, as tags. */
export function Tags({ call }: { readonly call: AnyCall }) {
  const tags = [
    call.retry_of !== null && `attempt ${(call.retry_count ?? 0) + 1}`,
    call.cascade_of !== null && "follow-on",
    call.status === "failed" && call.recovered_by !== null && "recovered",
    call.origin === "recovered" && "repaired",
    call.soft && "soft",
    call.inherited && "inherited",
    call.loop !== null && call.loop.run >= 3 && `loop ${call.loop.run}`,
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

/** The tags and the status message of a call. */
export function CallMessage({ call }: { readonly call: AnyCall }) {
  return (
    <span class="story-message">
      <Tags call={call} />
      {call.status_message === null ? (
        <span class="faint">{call.status}</span>
      ) : (
        <UntrustedText text={call.status_message} />
      )}
    </span>
  );
}
