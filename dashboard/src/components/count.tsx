import { useRef } from "preact/hooks";
import { count } from "../format.ts";
import type { Tone } from "../tone.ts";

interface CountProps {
  readonly value: number;
  /** Color of a nonzero number. */
  readonly tone?: Tone;
}

/** A number that is highlighted briefly when it changes. */
export function Count({ value, tone }: CountProps) {
  const first = useRef(value);
  const color = value === 0 ? "faint" : tone === undefined ? "" : `tone-${tone}`;
  // A new key creates a new element, which restarts the animation.
  return (
    <span key={value} class={`${color} ${value === first.current ? "" : "moved"}`}>
      {count(value)}
    </span>
  );
}
