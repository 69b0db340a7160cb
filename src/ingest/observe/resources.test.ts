import { describe, expect, it } from "vitest";
import { sharedResource } from "../../core/score/link-call.ts";
import { argumentFacts } from "./argument-facts.ts";
import { readCommand } from "./command-resources.ts";
import { namedPaths } from "./resources.ts";

const hash = (text: string): string => {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 0x1fffffffffff;
  return sum.toString(16).padStart(12, "0");
};

/** Returns the rule by which the second call would be a follow-on of the first. */
function rule(
  [rootTool, rootArgs]: readonly [string, object],
  [tool, args]: readonly [string, object],
  text = "",
): string | undefined {
  const call = (id: string, name: string, given: object) =>
    ({ id, tool: name, status: "failed", arguments: argumentFacts(given, hash, name) }) as const;
  return sharedResource(call("1", rootTool, rootArgs), { ...call("2", tool, args), named: namedPaths(text, hash) });
}

const bash = (command: string): readonly [string, object] => ["Bash", { command, description: "anything" }];

describe("resources shared by two failed calls", () => {
  it.each([
    ["path", ["Write", { file_path: "/p/a.ts" }], ["Read", { file_path: "/p/a.ts" }]],
    ["path", ["Write", { file_path: "/p/./b/../a.ts" }], ["view", { path: "/p/a.ts/" }]],
    ["path", bash("cat src/a.ts | head"), ["Read", { file_path: "/p/src/a.ts" }]],
    ["path", ["Read", { file_path: "/p/src/a.ts" }], bash("wc -l a.ts")],
    ["path", bash("cd /p && cat src/a.ts"), ["Read", { file_path: "/p/src/a.ts" }]],
    ["path", bash("npm run build > build.log 2>&1"), bash("grep -n error build.log")],
    ["path", bash("mkdir out"), ["ls", { path: "out" }]],
    ["inside", bash("mkdir -p out/lib"), ["Write", { file_path: "out/lib/x.js" }]],
    ["inside", bash("git clone https://example.com/some/repo.git"), ["Read", { file_path: "repo/README.md" }]],
    ["inside", ["create_directory", { path: "/p/out" }], ["Write", { file_path: "/p/out/sub/x.js" }]],
    ["url", ["fetch", { url: "https://example.com/a/" }], bash("curl -s https://example.com/a")],
    ["id", ["create_order", { order_id: "O-17" }], ["get_order", { orderId: "O-17" }]],
    ["dependency", bash("npm ci"), bash("npx vitest run")],
    ["dependency", bash("cd /p && uv pip install -r requirements.txt"), bash("pytest -q")],
  ] as const)("two failed calls match by %s: %j, then %j", (expected, root, follower) => {
    expect(rule(root, follower)).toBe(expected);
  });

  it("two failed calls match if the second failure names the output that the first call should have created", () => {
    const root = bash("tsc --outfile dist/app.js");
    expect(rule(root, bash("node run"), "Error: Cannot find module 'dist/app.js'")).toBe("named");
    expect(rule(root, bash("node run"), "Error: Cannot find module 'lib/other.js'")).toBeUndefined();
  });
});

describe("two failed calls without a shared resource", () => {
  it.each([
    [
      ["Read", { file_path: "/p/a.ts" }],
      ["Read2", { file_path: "/p/b.ts" }],
    ],
    [bash("cd /p && npm test"), bash("cd /p && cargo build")],
    [bash("cat /p/a.ts"), ["Read", { file_path: "/p/a.ts.bak" }]],
    [bash("ls /p/src"), ["Read", { file_path: "/p/src/a.ts" }]],
    [
      ["get_user", { user_id: "u1" }],
      ["get_orders", { user_id: "u1" }],
    ],
    [bash("sed -n 's/x/y/' a.txt"), bash("sed -n 's/x/y/' b.txt")],
    [bash("echo . / ~ /tmp"), bash("ls /tmp .")],
    [bash("npm test"), bash("npm run lint")],
    [
      ["a", {}],
      ["b", {}],
    ],
    [
      ["a", { path: 5, command: [] }],
      ["b", { url: null }],
    ],
  ] as const)("the calls %j and %j share nothing", (root, follower) => {
    expect(rule(root as readonly [string, object], follower as readonly [string, object])).toBeUndefined();
  });
});

describe("the resources of a command line", () => {
  it.each([
    ["npm test", "npm test"],
    ["cd /p && npm test 2>&1 | tail -20", "npm test"],
    ["  npm   test", "npm test"],
    ["sudo CI=1 npm test", "npm test"],
    ["npm test | grep -c x | wc -l", "npm test"],
    ["grep x a | sort", "grep x a"],
    ["cd /p", "cd /p"],
    ["a && b; c || d", "a ; b ; c ; d"],
  ])("the command line %j has the core %j", (command, core) => {
    expect(readCommand(command).core).toBe(core);
  });

  it("the text of a here-document is ignored", () => {
    const { makes, targets } = readCommand("cat > /p/a.py <<'EOF'\nopen('/etc/passwd')\nEOF");
    expect([makes, targets]).toEqual([["/p/a.py"], []]);
  });

  it("the resources of a command line stay bounded and take linear time for any input", () => {
    for (const odd of [
      "'".repeat(1e6),
      "a/b ".repeat(3e5),
      ">".repeat(1e6),
      "\\".repeat(1e6),
      "a/".repeat(5e5),
      "|&;<(".repeat(2e5),
    ]) {
      const facts = argumentFacts({ command: odd, path: odd, url: odd, id: odd }, hash, "Bash");
      expect(facts.resources.length).toBeLessThanOrEqual(24);
    }
  });
});

describe("the paths in the text of a failure", () => {
  const plain = (text: string): readonly string[] => namedPaths(text, (path) => path);

  it.each([
    ["cannot open ./src/a.ts: not found", ["named:src/a.ts"]],
    ['"conf.json", (b.txt) and `c-d.py`.', ["named:b.txt", "named:c-d.py", "named:conf.json"]],
    ["in /etc/hosts:3 und caf\u00e9/x.md", ["named:/etc/hosts", "named:/x.md"]],
    ["a.b/c.d=e.f", ["named:a.b/c.d", "named:e.f"]],
    ["nothing here. Or there / ...", []],
    ["", []],
  ])("the paths in %j are found", (text, expected) => {
    expect(plain(text)).toEqual(expected);
  });
});
