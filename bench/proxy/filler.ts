import { createRandom } from "../frame/random.ts";

const WORDS =
  "const return await import file path error line test value result expected received module function string number " +
  "index server request response session project build check update remove create open close read write the of and to";
const LIST = WORDS.split(" ");

/** Text that looks like tool output: words, lines, quotes and occasional non-ASCII characters. Same seed, same text. */
export function filler(length: number, seed: number): string {
  const random = createRandom(seed);
  let text = "";
  while (text.length < length) {
    const word = LIST[Math.floor(random() * LIST.length)] as string;
    const mark = random();
    text += mark < 0.08 ? `${word}\n  ` : mark < 0.13 ? `"${word}" ` : mark < 0.135 ? `${word} — ` : `${word} `;
  }
  return text.slice(0, length);
}
