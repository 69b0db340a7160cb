import { visibleLines } from "../format.ts";
import { Scrollable } from "./scrollable.tsx";

/** Complete text from a model or tool, with its line breaks. */
export function TextBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="text-block">
      <figcaption>{title}</figcaption>
      <Scrollable label={title} class="text-scroll">
        <pre dir="auto">{visibleLines(text)}</pre>
      </Scrollable>
    </figure>
  );
}
