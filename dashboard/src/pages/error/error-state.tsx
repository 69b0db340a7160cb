import { useSignal } from "@preact/signals";
import type { ChosenState, ErrorState, FingerprintRow } from "../../../../src/store/port.ts";
import { getJson } from "../../get-json.ts";
import { refresh } from "../../queries.ts";
import { errorPath } from "../errors/error-shares.tsx";

const ACTIONS: Readonly<Record<ErrorState, readonly (readonly [state: ChosenState, label: string])[]>> = {
  open: [
    ["resolved", "Resolve"],
    ["ignored", "Ignore"],
  ],
  regressed: [
    ["resolved", "Resolve again"],
    ["ignored", "Ignore"],
    ["open", "Reopen"],
  ],
  resolved: [["open", "Reopen"]],
  ignored: [["open", "Reopen"]],
};

export function StateBadge({ state }: { readonly state: ErrorState }) {
  if (state === "open") return null;
  return <span class={state === "regressed" ? "badge" : "tag"}>{state}</span>;
}

/** Buttons that change the state of an error for all users. */
export function StateButtons({ error }: { readonly error: FingerprintRow }) {
  const problem = useSignal("");
  const choose = async (state: ChosenState): Promise<void> => {
    const { project, fingerprint } = error;
    const headers = { "content-type": "application/json" };
    try {
      await getJson(errorPath(fingerprint, project), { method: "POST", body: JSON.stringify({ state }), headers });
      problem.value = "";
      await refresh();
    } catch (failure) {
      problem.value = (failure as Error).message;
    }
  };
  return (
    <>
      {ACTIONS[error.state].map(([state, label]) => (
        <button key={state} type="button" onClick={() => void choose(state)}>
          {label}
        </button>
      ))}
      <output class="tone-bad">{problem.value}</output>
    </>
  );
}
