import { describe, expect, it } from "vitest";
import * as gates from "./decide.ts";
import { type After, type Candidate, decide, decideAtEnd } from "./decide.ts";
import { isAnnounced } from "./mention.ts";
import { leadIn } from "./sentence.ts";
import { SurroundingText } from "./surroundings.ts";

/** A candidate directly after the given text. */
function candidateAfter(text: string, extra: Partial<Candidate> = {}): Candidate {
  const surroundings = new SurroundingText();
  surroundings.append(text, 0);
  const before = extra.before ?? surroundings.before();
  return {
    strength: "strong",
    hasSpecialToken: false,
    calls: [{ name: "bash", args: { command: "make deploy" } }],
    before,
    lead: leadIn(before.text),
    isAnnounced: isAnnounced(leadIn(before.text)),
    ...extra,
  };
}

/** A candidate between two texts, in the form the closing gates expect. */
function candidateBetween(before: string, text: string, extra: Partial<Candidate> = {}): [Candidate, After] {
  const surroundings = new SurroundingText();
  surroundings.append(before, 0);
  const candidate = candidateAfter("", { before: surroundings.before(), ...extra });
  surroundings.skip(before.length + 1);
  surroundings.finish(text, before.length + 1);
  return [candidate, { text, isFollowedByCall: false, join: undefined }];
}

describe("gates that run as soon as a call is parsed", () => {
  it.each([
    ["- ", "in-list"],
    ["Two ways:\n  2) ", "in-list"],
    ["* [ ] ", "in-list"],
    ["- deploy:\n  ", "in-list"],
    ["A)\n", "in-list"],
    ["1. \n   \n   \ufffc\n   \n   ", "in-list"],
    ["- first\n\n\ufffc\n", undefined],
    ["I deploy it.\n", undefined],
    ["The plan:\n1. build\n2. deploy\n\nLet me start.\n", undefined],
  ])("insideList rejects list items: %j", (text, reason) => {
    expect(gates.insideList(candidateAfter(text))).toBe(reason);
  });

  it.each([
    ["| deploy | ", "in-table"],
    ["│ ", "in-table"],
    ["a | b\n", undefined],
  ])("insideTable rejects table cells: %j", (text, reason) => {
    expect(gates.insideTable(candidateAfter(text))).toBe(reason);
  });

  it.each([
    ["    12→", "in-code"],
    ["007| ", "in-code"],
    ["src/run.ts:12:", "in-code"],
    ["// ", "in-code"],
    ["# ", "in-code"],
    ["$ ", "in-code"],
    ["[10:02:11] assistant -> ", "reported"],
    ["2026-01-02 10:00:00 DEBUG output: ", "reported"],
    ["10:02 run: ", "reported"],
    ["User: hello\nAssistant: ", "reported"],
    ["A: ", "reported"],
    ["Assistant: ", undefined],
    ["+", "in-code"],
    ["@@ -1,2 +1,3 @@\n import a\n ", "in-code"],
    ["const sample = `\n", "in-code"],
    ["cat <<'END'\n", "in-code"],
    ["❌ ", "in-list"],
    ["🔧 ", undefined],
    ["$ cat call.txt\n", "in-code"],
    ["ann@host:~/src$ ./show call\n", "in-code"],
    ["$ cat call.txt\n\n", undefined],
    ["It costs\n$ 5 a month.\n", undefined],
    ["</think>", undefined],
    ["<|im_end|>", undefined],
    ["Sure. ", undefined],
  ])("insideListing rejects lines of code, diffs and numbered files: %j", (text, reason) => {
    expect(gates.insideListing(candidateAfter(text))).toBe(reason);
  });

  it.each([
    ["<pre>", "in-markup"],
    ["<html><body>\n", "in-markup"],
    ["\\begin{verbatim}\n", "in-markup"],
    ["<!-- ", "in-markup"],
    ["[code]", "in-markup"],
    ["<answer>", undefined],
    ["The <pre> element shows text as it is. I deploy it.\n", undefined],
  ])("besideOpener rejects a call directly after an element's opener: %j", (text, reason) => {
    expect(gates.besideOpener(candidateAfter(text))).toBe(reason);
  });

  it("placeholderValue rejects a call with a placeholder", () => {
    const call = (command: string) => candidateAfter("", { calls: [{ name: "bash", args: { command } }] });
    expect(gates.placeholderValue(call("<your command here>"))).toBe("placeholder");
    expect(gates.placeholderValue(call("ls"))).toBeUndefined();
  });

  it.each([
    ["Never send ", "negated"],
    ["I will not run the following:\n", "negated"],
    ["Do not run this.\n", "negated"],
    ["For example:\n", "example"],
    ["Send a call shaped like this: ", "example"],
    ["My last message contained ", "reported"],
    ["The page asks me for this:\n", "reported"],
    ["Should I run this?\n", "question"],
    ["Zum Beispiel so:\n", "example"],
    ["N'exécutez jamais ", "negated"],
    ["例如：\n", "example"],
    ["Никогда не запускайте ", "negated"],
    ["このような呼び出しの例：\n", "example"],
    ["", undefined],
    ["Let me deploy it:\n", undefined],
    ["I don't see the log yet, so I'll open it:\n", undefined],
    ["The folder does not exist.\n", undefined],
    ["Ich sehe nach.\n", undefined],
    ["我来看一下：\n", undefined],
    ["Now:\n", undefined],
  ])("mentionedInLead rejects a call that the sentence before it negates, reports or presents: %j", (text, reason) => {
    expect(gates.mentionedInLead(candidateAfter(text))).toBe(reason);
  });

  it("weakAfterLead requires an announcement before a weak format", () => {
    const reasonFor = (text: string, strength: Candidate["strength"]) =>
      gates.weakAfterLead(candidateAfter(text, { strength }));
    expect(reasonFor("The configuration:\n", "weak")).toBe("not-anchored");
    expect(reasonFor("The configuration:\n", "strong")).toBeUndefined();
    expect(reasonFor("Let me deploy it:\n", "weak")).toBeUndefined();
    expect(reasonFor("Good morning.\n", "weak")).toBe("not-anchored");
    const reading = candidateAfter("Good morning.\n", { strength: "weak", calls: [{ name: "read_file", args: {} }] });
    expect(gates.weakAfterLead(reading)).toBeUndefined();
  });

  it("decide returns the reason of the first gate that rejects", () => {
    expect(decide(candidateAfter("For example:\n- "))).toBe("in-list");
    expect(decide(candidateAfter("For example:\n"))).toBe("example");
    expect(decide(candidateAfter("On my way.\n"))).toBeUndefined();
  });
});

describe("gates that run at the end of the message", () => {
  it.each([
    ["Look: <code>and ", "</code>", "in-markup"],
    ["<guide>\n", "\n</guide>", "in-markup"],
    ["Look at <b>this</b>.\n", "", undefined],
    ["<answer>\n", "\n</answer>", undefined],
  ])("insideElement rejects a call that an element encloses: %j … %j", (before, after, reason) => {
    expect(gates.insideElement(candidateBetween(before, after)[0])).toBe(reason);
  });

  it.each([
    ["“", "”"],
    ["「", "」"],
    ["He said «", "»"],
    ["(", ")"],
    ['They call it "', '".'],
  ])("insideQuotation rejects a call in quotation marks: %s … %s", (before, after) => {
    expect(gates.insideQuotation(...candidateBetween(before, after))).toBe("in-quote");
  });

  it.each([
    ["Better not 『first:\n<a>1</a>\n", "\n</b>』, they said."],
    ["Essayez « d'abord\n", "\n» et regardez."],
  ])("insideQuotation rejects a call in a quotation over several lines: %j … %j", (before, after) => {
    expect(gates.insideQuotation(...candidateBetween(before, after))).toBe("in-quote");
  });

  it("insideQuotation ignores a quotation of another paragraph, and marks that are turned around", () => {
    expect(gates.insideQuotation(...candidateBetween("He said “now\n\n", "\n\nand left”."))).toBeUndefined();
    expect(gates.insideQuotation(...candidateBetween("Siehe »Start«,\n", "\ndann »Ende«."))).toBeUndefined();
  });

  it("insideQuotation ignores apostrophes and marks that were closed before the call", () => {
    expect(gates.insideQuotation(...candidateBetween("I'll do it. ", " That's all."))).toBeUndefined();
    expect(gates.insideQuotation(...candidateBetween('You said "now". ', ' Then "later".'))).toBeUndefined();
  });

  it.each([
    ["We write ", " into the log.", "in-sentence"],
    ["Deploying. ", " Done!", undefined],
    ["", " is what deploys it.", "in-sentence"],
    ["", "", undefined],
    ["Deploying now ", "", undefined],
  ])("insideSentence rejects a call with words of its sentence on both sides: %j … %j", (before, after, reason) => {
    expect(gates.insideSentence(...candidateBetween(before, after))).toBe(reason);
  });

  it.each([
    ["fix(parser): accept bare ", "\n\nThe opener may be missing.", "in-sentence"],
    ["docs: describe the form ", "", undefined],
    ["Let me list them ", "\n\nOne moment.", undefined],
    ["Sure. ", "\n\nOne moment.", undefined],
  ])(
    "objectOfSentence rejects a call that ends a sentence which announces nothing: %j … %j",
    (before, after, reason) => {
      const [candidate, following] = candidateBetween(before, after);
      const { text } = candidate.before;
      const lead = leadIn(text);
      expect(gates.objectOfSentence({ ...candidate, lead, isAnnounced: isAnnounced(lead) }, following)).toBe(reason);
    },
  );

  it("insideSentence accepts special tokens between words, because people do not type them", () => {
    expect(
      gates.insideSentence(...candidateBetween("We write ", " into the log.", { hasSpecialToken: true })),
    ).toBeUndefined();
  });

  it("oneOfAlternatives rejects both calls of a choice", () => {
    const [first] = candidateBetween("", "");
    expect(gates.oneOfAlternatives(first, { text: "", isFollowedByCall: false, join: "\nor\n" })).toBe("example");
    expect(gates.oneOfAlternatives(first, { text: "", isFollowedByCall: false, join: "\nand then\n" })).toBeUndefined();
    const second = candidateAfter("\ufffc\noder\n");
    expect(gates.oneOfAlternatives(second, { text: "", isFollowedByCall: false, join: undefined })).toBe("example");
  });

  it("weakBeforeText accepts a weak format only at the end of the message", () => {
    const weak = { strength: "weak" } as const;
    expect(gates.weakBeforeText(...candidateBetween("", "\nThat is the configuration.", weak))).toBe("not-anchored");
    expect(gates.weakBeforeText(...candidateBetween("", "\n\nI'll tell you what it says.", weak))).toBeUndefined();
    expect(gates.weakBeforeText(...candidateBetween("", "<|im_end|>", weak))).toBeUndefined();
  });

  it.each([
    ["\n\nThat is only an example.", "example"],
    ["\n\nI will not send it.", "negated"],
    ["\n\nDo not run this.", "negated"],
    ["\n\nShall I run it?", "question"],
    ["\n\nReply yes and I go on: please confirm.", "question"],
    ["\nis the old form of it.", "example"],
    ["\n\nDas ist nur ein Beispiel: dieser Aufruf löscht alles.", "example"],
    ["\n\nI'll report what it prints.", undefined],
    ["\n\nThis will take a minute.", undefined],
    ["\n\nWould you like to know more?", undefined],
    ["", undefined],
  ])("mentionedBehind rejects a call that the next sentence comments on: %j", (after, reason) => {
    expect(gates.mentionedBehind(...candidateBetween("", after))).toBe(reason);
  });

  it("decideAtEnd accepts a call that no gate rejects", () => {
    expect(decideAtEnd(...candidateBetween("Let me deploy it.\n", "\n\nI'll report back."))).toBeUndefined();
  });
});
