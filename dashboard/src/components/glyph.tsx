import { GLYPH, type Tone } from "../tone.ts";

export function Glyph({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <span class={`glyph tone-${tone}`} role="img" aria-label={label} title={label}>
      {GLYPH[tone]}
    </span>
  );
}
