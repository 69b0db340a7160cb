/** A line of `hexdump -C` or `xxd`: an offset, then single bytes or pairs of bytes. */
const DUMP_LINE = /^[ \t]{0,8}[\da-fA-F]{4,16}:?[ \t]{1,4}((?:(?:[\da-fA-F]{2}){1,2}(?:[ \t]{1,3}|$)){1,17})/;
const MAX_LINE_CHARS = 128;
const BYTES_PER_LINE = 16;
/** The beginning of a dump line. */
const DUMP_START = /^[ \t]{0,8}[\da-fA-F]{4,16}:?[ \t]{1,4}(?:(?:[\da-fA-F]{2}){1,2}[ \t]{1,3}){4}/;
/** This many consecutive groups of 2 or 4 characters are rare in other texts. */
export const MIN_GROUPS = 6;
/** Longer than the offset and that many groups. */
const MAX_START_CHARS = 64;

/** Whether `at` is in a dump line, after its first groups. */
export function isInDump(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_START_CHARS), at);
  return DUMP_START.test(before.slice(before.lastIndexOf("\n") + 1));
}

/** Replaces the lines of a hex dump with the text they show. */
export function decodeHexDump(text: string): string {
  const decoded: string[] = [];
  let bytes: number[] = [];
  let isAny = false;
  const flush = (): void => {
    if (bytes.length > 0) decoded.push(new TextDecoder().decode(new Uint8Array(bytes)));
    bytes = [];
  };
  for (const line of text.split("\n")) {
    const shown = line.length <= MAX_LINE_CHARS ? DUMP_LINE.exec(line)?.[1] : undefined;
    if (shown === undefined) {
      flush();
      decoded.push(line);
    } else {
      isAny = true;
      bytes.push(...bytesOf(shown));
    }
  }
  flush();
  return isAny ? decoded.join("\n") : text;
}

function bytesOf(shown: string): readonly number[] {
  const pairs = shown.match(/[\da-fA-F]{2}/g) ?? [];
  return pairs.slice(0, BYTES_PER_LINE).map((pair) => Number.parseInt(pair, 16));
}
