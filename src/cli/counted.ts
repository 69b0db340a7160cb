/** `1 call`, `2 calls`. */
export function pluralize(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
