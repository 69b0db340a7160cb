/** Keeps the number of label values bounded: tool names come from models, and models invent them. */
export interface LabelCap {
  of(value: string): string;
  overflow(): number;
}

const LONGEST = 128;

export function createLabelCap(limit: number): LabelCap {
  const known = new Set<string>();
  let overflowed = 0;
  return {
    of(value) {
      const label = value.slice(0, LONGEST);
      if (known.has(label)) return label;
      if (known.size < limit) {
        known.add(label);
        return label;
      }
      overflowed += 1;
      return "_other";
    },
    overflow: () => overflowed,
  };
}
