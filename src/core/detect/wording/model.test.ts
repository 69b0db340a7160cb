import { describe, expect, test } from "vitest";
import { decodeWeights, encodeWeights } from "./model.ts";

describe("the weights of the wording model as text", () => {
  test("a weight that is not 0 is two letters: the features without one before it, and its value", () => {
    expect(encodeWeights([5, 0, 0, -31])).toBe("AkCA");
  });

  test("the weights come back from the text, however far they are apart", () => {
    const weights = new Int8Array(1 << 18);
    weights.set([31, -31, 0, 1], 0);
    weights[66] = 7;
    weights[67] = -7;
    weights[130] = 3;
    weights[weights.length - 1] = 2;
    expect(decodeWeights(encodeWeights(weights))).toEqual(weights);
  });
});
