import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addGroups, removeToolmendHooks, SettingsError, toolmendGroups } from "./settings-text.ts";
import { hookGroups, isToolmendHook, type Wiring } from "./toolmend-hooks.ts";

const WIRING: Wiring = {
  ...{ url: "http://127.0.0.1:4100", spool: "/data/spool" },
  ...{ spooled: false, preToolUse: false, token: false },
};
const GROUPS = hookGroups("claude-code", WIRING);
const ONE = { Stop: [{ hooks: [{ type: "http", url: "http://127.0.0.1:4100/hooks/claude-code" }] }] };

describe("editing hooks in a settings text", () => {
  it("appends hooks after existing ones with the file's indentation and line endings", () => {
    const text = '{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{"hooks": []}\r\n\t\t]\r\n\t}\r\n}';
    expect(addGroups(text, ONE)).toBe(
      '{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{"hooks": []},\r\n\t\t\t{\r\n\t\t\t\t"hooks": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t"type": "http",\r\n\t\t\t\t\t\t"url": "http://127.0.0.1:4100/hooks/claude-code"\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}',
    );
  });

  it.each([
    "",
    "{}",
    "{ }\n",
    '{"a":1}',
    '{\n  "a": {"hooks": 1}\n}\n',
    '{"hooks":{}}',
    '{"hooks":{"Stop":[]}}',
    '\uFEFF{"a":1}',
  ])("adds hooks to %j and leaves all other values unchanged", (text) => {
    const next = addGroups(text, GROUPS);
    const read = JSON.parse(next.replace(/^\uFEFF/, ""));
    expect(read.hooks).toEqual(GROUPS);
    expect({ ...read, hooks: 0 }).toEqual({ ...JSON.parse(text.replace(/^\uFEFF/, "") || "{}"), hooks: 0 });
    expect(toolmendGroups(next, isToolmendHook)).toEqual(GROUPS);
  });

  it("removes Toolmend hooks and leaves other hooks in the same group", () => {
    const mixed = {
      Stop: [{ hooks: [{ type: "command", command: "say done" }, ...(ONE.Stop[0]?.hooks ?? [])] }],
    };
    const text = JSON.stringify({ hooks: mixed }, null, 2);
    expect(JSON.parse(removeToolmendHooks(text, isToolmendHook))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] },
    });
  });

  it("removes Toolmend hooks anywhere in the file and nothing else", () => {
    const text = '{\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "x"}]}]\n  },\n  "z": 1\n}\n';
    expect(removeToolmendHooks(addGroups(text, GROUPS), isToolmendHook)).toBe(text);
    const none = '{\n  "a": 1\n}\n';
    expect(removeToolmendHooks(addGroups(none, GROUPS), isToolmendHook)).toBe(none);
  });

  it.each([
    ["{", /not valid JSON/],
    ["// comment\n{}", /not valid JSON/],
    ["[]", /does not contain a JSON object/],
    ['{"hooks":[]}', /"hooks" is not an object/],
    ['{"hooks":{"Stop":{}}}', /"hooks.Stop" is not a list/],
    ['{"hooks":{"Stop":["x"]}}', /"hooks.Stop" is not a list/],
  ])("rejects %j with a reason and changes nothing", (text, reason) => {
    expect(() => addGroups(text, ONE)).toThrow(SettingsError);
    expect(() => addGroups(text, ONE)).toThrow(reason);
  });

  it("preserves all other values and hooks of arbitrary settings when hooks are added and removed", () => {
    const other = fc.record({ hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() })) });
    const hooks = fc.dictionary(fc.constantFrom("Stop", "PostToolUse", "Other"), fc.array(other, { minLength: 1 }));
    const settings = fc.record({ a: fc.jsonValue(), hooks, z: fc.jsonValue() }, { requiredKeys: [] });
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 2, 4, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const next = addGroups(text, GROUPS);
        const back = JSON.parse(removeToolmendHooks(next, isToolmendHook));
        const hadHooks = Object.keys(value.hooks ?? {}).length > 0;
        expect({ ...back, hooks: 0 }).toEqual({ ...JSON.parse(text), hooks: 0 });
        expect(back.hooks ?? {}).toEqual(hadHooks ? JSON.parse(text).hooks : {});
        expect(addGroups(removeToolmendHooks(next, isToolmendHook), {})).toBe(
          removeToolmendHooks(next, isToolmendHook),
        );
      }),
      { numRuns: 100 },
    );
  });
});
