/** Decodes strictly: invalid UTF-8 would not be reproduced byte for byte. */
export function decodeStrict(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
