/** An offset in the journal. Its text form sorts in the same order. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

export function positionText({ segment, offset }: Position): string {
  return `${String(segment).padStart(8, "0")}:${String(offset).padStart(12, "0")}`;
}

export function isBefore(a: Position, b: Position): boolean {
  return a.segment === b.segment ? a.offset < b.offset : a.segment < b.segment;
}

export function parsePosition(text: string): Position {
  const [segment, offset] = text.split(":").map(Number) as [number, number];
  return { segment, offset };
}

export function segmentFile(segment: number): string {
  return `${String(segment).padStart(8, "0")}.jsonl`;
}
