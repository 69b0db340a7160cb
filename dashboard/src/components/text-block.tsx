import { visibleLines } from "../format.ts";
import { CopyButton } from "./copy-button.tsx";
import { Scrollable } from "./scrollable.tsx";

/** Complete text from a model or tool, with its line breaks. */
export function TextBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="text-block">
      <figcaption>
        {title} <CopyButton small label={`Copy: ${title}`} text={() => text} />
      </figcaption>
      <Scrollable label={title} class="text-scroll">
        <pre dir="auto">{visibleLines(text)}</pre>
      </Scrollable>
    </figure>
  );
}
