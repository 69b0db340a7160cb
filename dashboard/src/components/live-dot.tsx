import { connection } from "../state.ts";

const WORDS = {
  connecting: { glyph: "○", text: "Connecting", hint: "Waiting for the live feed." },
  open: { glyph: "●", text: "Live", hint: "The numbers move as calls are recorded." },
  lost: { glyph: "○", text: "Disconnected", hint: "The live feed is away. The page goes on trying to reach it." },
} as const;

export function LiveDot() {
  const { glyph, text, hint } = WORDS[connection.value];
  return (
    <output class={`live live-${connection.value}`} title={hint}>
      <span class="live-glyph" aria-hidden="true">
        {glyph}
      </span>
      {text}
    </output>
  );
}
