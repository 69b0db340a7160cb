import { decodeBase64 } from "./base64.ts";
import { plainCharacters } from "./characters.ts";
import { decodeEntities, decodeEscapes, decodePercent, stripPageElements } from "./decode.ts";
import { flattenJson } from "./flatten-json.ts";
import { stripLineDecoration } from "./lines.ts";

/** Encodings inside one another that are undone: an escaped string in an escaped string in base64. */
const MAX_ROUNDS = 3;
/** No view is longer than its text by more: only base64 in JSON can make a text longer, and by little. */
const MAX_GROWTH = 2;

/**
 * The text as it was given, and as it looks when the decoration of its lines and one, two and three levels of encoding are taken away. Each view
 * differs from those before it; plain text has one. At most five, each at most twice as long as the text.
 */
export function viewsOf(text: string): readonly string[] {
  const views = [text];
  let current = stripLineDecoration(text);
  if (current !== text) views.push(current);
  // Lines were begun inside its strings: what is JSON is read as it came.
  let whole = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoded = decode(flattenJson(whole) ?? flattenJson(current), current);
    const next = stripLineDecoration(decoded);
    if (next === current || next.length > (text.length + 64) * MAX_GROWTH) break;
    views.push(next);
    whole = decoded;
    current = next;
  }
  return views;
}

function decode(flat: string | undefined, text: string): string {
  const plain = decodeEntities(stripPageElements(plainCharacters(flat ?? text)));
  // The strings of JSON are without their escapes already.
  return decodeBase64(decodePercent(flat === undefined ? decodeEscapes(plain) : plain));
}
