import { visible } from "../format.ts";

/** A text from a model, tool or client: one clipped line, isolated from its surroundings whatever its direction, whole on hover. */
export function UntrustedText({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  return (
    <bdi class="clip" title={visible(text)}>
      {visible(shown)}
    </bdi>
  );
}
