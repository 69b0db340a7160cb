/** One turn of the model: calls with their results, or a message with the user role. */
export type ScriptedStep =
  | { readonly kind: "calls"; readonly calls: readonly ScriptedCall[] }
  | { readonly kind: "user"; readonly text: string };

interface ScriptedCall {
  readonly name: string;
  readonly args: object;
  readonly result: string;
  readonly isError?: true;
}

export interface LoopSession {
  readonly title: string;
  readonly steps: readonly ScriptedStep[];
  /** What the signal reports, as in the table of docs/loops.md. */
  readonly fires: string;
}

const made = (name: string, args: object, result: string): ScriptedStep => ({
  kind: "calls",
  calls: [{ name, args, result }],
});
const together = (...calls: readonly ScriptedCall[]): ScriptedStep => ({ kind: "calls", calls });
const user = (text: string): ScriptedStep => ({ kind: "user", text });
const read = (path = "src/a.ts", result = `text of ${path}`): ScriptedStep => made("Read", { path }, result);
const bash = (command: string, result: string): ScriptedStep => made("Bash", { command }, result);
const edit = (n: number): ScriptedStep => made("Edit", { path: "src/a.ts", text: `try ${n}` }, `Edited: version ${n}`);
const times = (count: number, step: (n: number) => ScriptedStep | readonly ScriptedStep[]): readonly ScriptedStep[] =>
  Array.from({ length: count }, (_, n) => step(n)).flat();

const FAILED_TEST = "FAIL src/a.test.ts\nTests: 1 failed, 3 passed";
const FILES = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"];
const REMINDER = "<system-reminder>The todo list is empty.</system-reminder>";
const REFUSAL = "The user doesn't want to proceed with this tool use. The tool use was rejected";

const cycle = (length: number): LoopSession => ({
  title: `a cycle of ${length} reads`,
  steps: times(2 * length + 2, (n) => read(FILES[n % length])),
  fires: `cycle of ${length} at call ${length + 3}`,
});

/** Sessions written for this test, and what the signal reports for each. */
export const LOOP_SESSIONS: readonly LoopSession[] = [
  { title: "the same file read four times", steps: times(4, () => read()), fires: "repeat at call 4" },
  { title: "the same file read three times", steps: times(3, () => read()), fires: "–" },
  ...[2, 3, 4, 5].map(cycle),
  {
    title: "a call that fails the same way four times",
    steps: times(4, () => bash("make deploy", "make: *** No rule to make target 'deploy'.  Stop.")),
    fires: "failing at call 4",
  },
  {
    title: "a flaky call that succeeds at the third try",
    steps: [
      ...times(2, () => bash("curl -sf http://a/", "curl: (7) Failed to connect")),
      bash("curl -sf http://a/", "ok"),
    ],
    fires: "–",
  },
  {
    title: "results that differ only in a clock and a duration",
    steps: times(4, (n) => bash("npm test", `${FAILED_TEST}\nTime: ${n}.3 s, at 10:0${n}:12`)),
    fires: "failing at call 4",
  },
  {
    title: "tests run after every edit, with the same failure",
    steps: times(6, (n) => [edit(n), bash("npm test", FAILED_TEST)]),
    fires: "–",
  },
  {
    title: "the same edit and the same test again and again",
    steps: times(5, () => [edit(1), bash("npm test", FAILED_TEST)]),
    fires: "cycle of 2 at call 5",
  },
  {
    title: "a file read again between other reads",
    steps: times(6, (n) => [read("README.md"), read(`src/${n}.ts`)]),
    fires: "–",
  },
  {
    title: "a job polled ten times while it runs",
    steps: times(10, () => made("get_job_status", { id: 7 }, '{"status":"running"}')),
    fires: "–",
  },
  {
    title: "a job polled fourteen times with the same answer",
    steps: times(14, () => made("get_job_status", { id: 7 }, '{"status":"running"}')),
    fires: "repeat at call 13",
  },
  {
    title: "a log watched while it grows",
    steps: times(8, (n) => bash("tail -n 3 build.log", `step ${n} of 8 done`)),
    fires: "–",
  },
  {
    title: "waiting with sleep before every look",
    steps: times(8, () => bash("sleep 30; cat result.txt", "cat: result.txt: No such file or directory")),
    fires: "–",
  },
  {
    title: "five equal calls in one turn",
    steps: [together(...Array.from({ length: 5 }, () => ({ name: "Read", args: { path: "a" }, result: "x" })))],
    fires: "–",
  },
  {
    title: "two parallel reads, repeated",
    steps: times(4, () =>
      together({ name: "Read", args: { path: "a" }, result: "x" }, { name: "Read", args: { path: "b" }, result: "y" }),
    ),
    fires: "cycle of 2 at call 6",
  },
  {
    title: "a person writes between the repeats",
    steps: [...times(3, () => read()), user("Look at the imports."), ...times(3, () => read())],
    fires: "–",
  },
  {
    title: "a reminder of the client between the repeats",
    steps: [...times(2, () => read()), user(REMINDER), ...times(2, () => read())],
    fires: "repeat at call 4",
  },
  {
    title: "a call that the user denies again and again",
    steps: times(6, () => together({ name: "Bash", args: { command: "rm -r b" }, result: REFUSAL, isError: true })),
    fires: "–",
  },
  {
    title: "a file paged through twice (not found: the arguments differ)",
    steps: times(12, (n) => made("Read", { path: "a", offset: 100 * (n % 6) + (n < 6 ? 0 : 1) }, `lines ${n % 6}`)),
    fires: "–",
  },
];
