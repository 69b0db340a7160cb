import type { CallRow } from "../../../../src/store/port.ts";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { briefMessage, targetOf } from "../../target.ts";

/** The fields that rows of sessions and of the list of calls share. */
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

/** The target of a call without a message; its status if no target is stored. */
function Target({ call }: { readonly call: AnyCall }) {
  const target = targetOf(call.arguments_preview);
  return <span class="faint clip">{target === undefined ? call.status : <UntrustedText text={target} />}</span>;
}

/** The tags, and the status message or target of a call. */
export function CallMessage({ call }: { readonly call: AnyCall }) {
  return (
    <span class="story-message">
      <Tags call={call} />
      {call.status_message === null ? (
        <Target call={call} />
      ) : (
        <UntrustedText text={call.status_message} shown={briefMessage(call.status_message, call.tool_name)} />
      )}
    </span>
  );
}
