import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

const THANKS_MS = 2000;

export function CopyLine({ client, line }: { readonly client: string; readonly line: string }) {
  const code = useRef<HTMLElement>(null);
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(line);
      said.value = "Copied";
    } catch {
      // Beyond localhost a plain http page has no clipboard: leave the last step to the user.
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      said.value = "Selected, press Ctrl+C";
    }
    setTimeout(() => {
      said.value = "";
    }, THANKS_MS);
  };
  return (
    <div class="copy-line">
      <code ref={code}>{line}</code>
      <button type="button" aria-label={`Copy the line for ${client}`} onClick={() => void copy()}>
        {said.value === "" ? "Copy" : said.value}
      </button>
      <output class="hidden">{said.value}</output>
    </div>
  );
}
