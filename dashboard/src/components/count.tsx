import { useRef } from "preact/hooks";
import { count } from "../format.ts";
import type { Tone } from "../tone.ts";

interface CountProps {
  readonly value: number;
  /** Colour for a number that is not zero. */
  readonly tone?: Tone;
}

/** A number that lights up for a moment when it moves. */
export function Count({ value, tone }: CountProps) {
  const first = useRef(value);
  const colour = value === 0 ? "faint" : tone === undefined ? "" : `tone-${tone}`;
  // A new key is a new element, which starts the animation again.
  return (
    <span key={value} class={`${colour} ${value === first.current ? "" : "moved"}`}>
      {count(value)}
    </span>
  );
}
