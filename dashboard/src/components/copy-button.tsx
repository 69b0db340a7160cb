import { useSignal } from "@preact/signals";

const FEEDBACK_MS = 2000;

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
}

/** Copies a text, and says whether it worked. */
export function CopyButton({ label, text }: CopyButtonProps) {
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
      <button type="button" class="wide" onClick={() => void copy()}>
        {feedback.value === "" ? label : feedback.value}
      </button>
      <output class="hidden">{feedback.value}</output>
    </>
  );
}
