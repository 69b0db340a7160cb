/** What the work gives; undefined when it fails: nothing that goes wrong with us may cost the caller an answer. */
export function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
