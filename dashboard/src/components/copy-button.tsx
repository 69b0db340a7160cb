import { useSignal } from "@preact/signals";
import { Icon } from "./icon.tsx";

const FEEDBACK_MS = 2000;

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  /** An icon instead of a labeled button. */
  readonly small?: boolean;
}

/** Copies a text, and shows whether that worked. */
export function CopyButton({ label, text, small = false }: CopyButtonProps) {
  const feedback = useSignal("");
  const copy = async (): Promise<void> => {
    // Outside localhost, a page served over http has no clipboard access.
    feedback.value = await navigator.clipboard.writeText(text()).then(
      () => "Copied",
      () => "The browser refused",
    );
    setTimeout(() => {
      feedback.value = "";
    }, FEEDBACK_MS);
  };
  return (
    <>
      <button
        type="button"
        class={small ? "copy" : "wide"}
        {...(small && { "aria-label": label, title: label })}
        onClick={() => void copy()}
      >
        {small ? (
          <Icon name={feedback.value === "" ? "copy" : feedback.value === "Copied" ? "done" : "refused"} />
        ) : (
          feedback.value || label
        )}
      </button>
      <output class="hidden">{feedback.value}</output>
    </>
  );
}
