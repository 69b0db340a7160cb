import { expect, it } from "vitest";
import { ProgressBar, progressLine, timeText } from "./progress-bar.ts";

it("shows progress, speed and remaining time", () => {
  expect(progressLine({ done: 30e6, total: 120e6, label: "3/12 files" }, 10_000)).toBe(
    "━━━━━━──────────────────   25 %  30.0 of 120.0 MB  3.0 MB/s  30 s left  3/12 files",
  );
  expect(progressLine({ done: 0, total: 1e6, label: "x" }, 0)).toBe(
    "────────────────────────    0 %  0.0 of 1.0 MB  x",
  );
  // A file that grew while it was being read.
  expect(progressLine({ done: 3e6, total: 1e6, label: "x" }, 1000)).toContain(
    "100 %  3.0 of 1.0 MB  3.0 MB/s  0 s left",
  );
  expect(progressLine({ done: 0, total: 0, label: "x" }, 1000)).toContain("100 %");
});

it.each([
  [5, "5 s"],
  [65, "1 min 5 s"],
  [3_700, "1 h 1 min"],
])("formats %i seconds as %s", (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
});

it("redraws at most 10 times a second within the terminal width, and clears the line at the end", () => {
  let [written, now] = ["", 0];
  const bar = new ProgressBar(
    (text) => {
      written += text;
    },
    40,
    () => now,
  );
  for (now = 1; now < 300; now += 1) bar.show({ done: now, total: 300, label: "x" });
  bar.clear();
  const drawn = written.split("\r\u001b[K").slice(1);
  expect(drawn).toHaveLength(4);
  expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(40);
  expect(drawn.at(-1)).toBe("");
});

it("writes nothing without a terminal", () => {
  const bar = new ProgressBar(undefined, 80, () => 1000);
  bar.show({ done: 1, total: 2, label: "" });
  expect(() => bar.clear()).not.toThrow();
});
