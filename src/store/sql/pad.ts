/** Repeats the last value, so that few different statements are prepared and cached. */
export function padToPowerOfTwo<T>(values: readonly T[]): readonly T[] {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length: size }, (_, at) => values[Math.min(at, values.length - 1)] as T);
}
