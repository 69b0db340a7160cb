import { describe, expect, test } from "vitest";
import { DETECT_BATCHES } from "../../../../test/support/detect-rows.ts";
import { closesOutput, namesSystemError } from "./category.ts";
import { ERRNO_NAMES, ERRNO_SENTENCES } from "./errno-sentences.ts";
import { HINT, hintsIn, hintsInPlace } from "./hints.ts";

/** With every hint a rule runs as if there were none. */
const ALL = -1;

function phrasesOf(lists: readonly (readonly [string, string])[], separator: RegExp): readonly string[] {
  return lists
    .flatMap(([, list]) => list.split(separator))
    .flatMap((entry) => {
      const phrase = entry.trim().replace(" \u2026 ", " x ");
      return phrase === "" ? [] : [phrase.replace("*", ""), phrase.replace("*", "abcdefg")];
    });
}

/** Ways in which programs write a phrase. */
function spellings(phrase: string): readonly string[] {
  // Not every letter has a capital that stands for it alone.
  const upper = phrase.toUpperCase().toLowerCase() === phrase ? phrase.toUpperCase() : phrase;
  const camel = phrase.replace(/(?<=[a-z]{2})[a-z]/g, (letter) => letter.toUpperCase());
  return [phrase, upper, camel, phrase.charAt(0).toUpperCase() + phrase.slice(1), `x ${phrase}.`, `"${upper}"`];
}

describe("the hints that phrases need", () => {
  test("hints are found in every system error, however it is written", () => {
    const errors = [...phrasesOf(ERRNO_SENTENCES, /[,\n]/), ...phrasesOf(ERRNO_NAMES, / /)];
    const missed = errors.flatMap(spellings).filter((text) => namesSystemError(text) !== namesSystemError(text, ALL));
    expect(missed).toEqual([]);
  });

  test("the hints of a text and of its bytes differ only where they must", () => {
    const texts = DETECT_BATCHES.flat().map(({ text }) => text);
    const missed = texts.filter(
      (text) => hintsInPlace(text, 0, text.length) !== (hintsIn(text, 0, text.length) & ~(HINT.trailer | HINT.system)),
    );
    expect(missed).toEqual([]);
  });

  test("hints disable no rule on any line of the fixtures", () => {
    const lines = DETECT_BATCHES.flat().flatMap(({ text }) => text.split("\n"));
    const missed = lines.flatMap(spellings).filter((line) => {
      const hints = hintsIn(line, 0, line.length);
      return (
        closesOutput(line, hints) !== closesOutput(line, ALL) || namesSystemError(line) !== namesSystemError(line, ALL)
      );
    });
    expect(missed).toEqual([]);
  });
});
