import { useRef } from "preact/hooks";
import { count } from "../format.ts";
import type { Tone } from "../tone.ts";

interface CountCellProps {
  readonly value: number;
  /** Colour for a number that is not zero. */
  readonly tone?: Tone;
  readonly class?: string;
}

/** A number that lights up for a moment when it moves. */
export function CountCell({ value, tone, class: name = "" }: CountCellProps) {
  const first = useRef(value);
  const colour = value === 0 ? "faint" : tone === undefined ? "" : `tone-${tone}`;
  return (
    <td class={`num ${name}`}>
      {/* A new key is a new element, which starts the animation again. */}
      <span key={value} class={`${colour} ${value === first.current ? "" : "moved"}`}>
        {count(value)}
      </span>
    </td>
  );
}
