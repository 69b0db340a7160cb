import { visible } from "../format.ts";

/** One clipped line of text from a model, tool or client, complete on hover. `bdi` isolates its text direction. */
export function UntrustedText({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  return (
    <bdi class="clip" title={visible(text)}>
      {visible(shown)}
    </bdi>
  );
}
