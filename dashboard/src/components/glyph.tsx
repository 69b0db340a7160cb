import { GLYPH, type Tone } from "../tone.ts";

interface GlyphProps {
  readonly tone: Tone;
  /** Text for screen readers; omit it if the adjacent text has the same meaning. */
  readonly label?: string;
}

export function Glyph({ tone, label }: GlyphProps) {
  if (label === undefined) {
    return (
      <span class={`glyph tone-${tone}`} aria-hidden="true">
        {GLYPH[tone]}
      </span>
    );
  }
  return (
    <span class={`glyph tone-${tone}`} role="img" aria-label={label} title={label}>
      {GLYPH[tone]}
    </span>
  );
}
