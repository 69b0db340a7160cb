import { describe, expect, it } from "vitest";
import { tryExtractLeakedToolCalls } from "./index.ts";

// The two production traces and the example of the design document, verbatim.
const FIRST =
  '\n\n<tool_call>\n{"name": "agent__batch", "arguments": {"calls": [{"id": "1", "tool": "bigquery__execute_sql", "parameters": {"sql": "SELECT MAX(bd_data_ingested_at) AS last_ingested_at, TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), MAX(bd_data_ingested_at), MINUTE) AS age_minutes, \'watch_towers.spaces_latest\' AS source_table FROM `netdata-analytics-bi.watch_towers.spaces_latest`"}, {"id": "2", "tool": "bigquery__execute_sql", "parameters": {"sql": "SELECT COUNT(*) AS new_users FROM `netdata-analytics-bi.app_db_replication.account_accounts_latest` WHERE created_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)"}}]} }\n</tool_call>';
const SECOND =
  '\n\n<tools>\n{"name": "bigquery__execute_sql", "arguments": {"sql": "SELECT MAX(bd_data_ingested_at) AS last_ingested_at, TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), MAX(bd_data_ingested_at), MINUTE) AS age_minutes, \'watch_towers.spaces_latest\' AS source_table FROM `netdata-analytics-bi.watch_towers.spaces_latest`"}}\n</tools>\n\n<tools>\n{"name": "bigquery__execute_sql", "arguments": {"sql": "SELECT COUNT(*) AS new_users FROM `netdata-analytics-bi.app_db_replication.account_accounts_latest` WHERE created_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)"}}\n</tools>';
const EXAMPLE = '\n\n<tools>{"name": "foo", "arguments": {"bar": 1}}</tools>\n\nSome other text';

const AGE =
  "SELECT MAX(bd_data_ingested_at) AS last_ingested_at, TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), MAX(bd_data_ingested_at), MINUTE) AS age_minutes, 'watch_towers.spaces_latest' AS source_table FROM `netdata-analytics-bi.watch_towers.spaces_latest`";
const USERS =
  "SELECT COUNT(*) AS new_users FROM `netdata-analytics-bi.app_db_replication.account_accounts_latest` WHERE created_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)";

describe("tryExtractLeakedToolCalls", () => {
  it("repairs the first production trace into one agent__batch call with both inner calls (N22)", () => {
    const { content, toolCalls } = tryExtractLeakedToolCalls(FIRST);
    expect(content).toBeNull();
    expect(toolCalls).toHaveLength(1);
    expect(toolCalls[0]).toMatchObject({
      name: "agent__batch",
      arguments: {
        calls: [
          { id: "1", tool: "bigquery__execute_sql", parameters: { sql: AGE } },
          { id: "2", tool: "bigquery__execute_sql", parameters: { sql: USERS } },
        ],
      },
    });
    expect(toolCalls[0]?.repairs).toContain("closed-brackets");
  });

  it("extracts both calls of the second production trace, in order", () => {
    const { content, toolCalls } = tryExtractLeakedToolCalls(SECOND);
    expect(content).toBeNull();
    expect(toolCalls.map((call) => call.arguments)).toEqual([{ sql: AGE }, { sql: USERS }]);
    expect(toolCalls.every((call) => call.repairs?.length === 0)).toBe(true);
  });

  it("returns the example's call and its remaining text", () => {
    const { content, toolCalls } = tryExtractLeakedToolCalls(EXAMPLE);
    expect(content).toBe("Some other text");
    expect(toolCalls).toEqual([
      {
        id: expect.any(String),
        name: "foo",
        arguments: { bar: 1 },
        origin: "recovered",
        format: "tools-tag",
        repairs: [],
      },
    ]);
  });

  it("returns the input unchanged if it contains no call", () => {
    const input = "  plain text\n";
    expect(tryExtractLeakedToolCalls(input)).toEqual({ content: input, toolCalls: [] });
  });

  it.each(["tool_calls", "tool_call", "tools", "function_call", "function"])(
    "removes an invalid <%s> block without extracting a call",
    (tag) => {
      expect(tryExtractLeakedToolCalls(`before <${tag}>never mind</${tag}> after`)).toEqual({
        content: "before after",
        toolCalls: [],
      });
    },
  );

  it("keeps an invalid block that is quoted as code", () => {
    const input = "Write `<tools>never mind</tools>` like this.";
    expect(tryExtractLeakedToolCalls(input)).toEqual({ content: input, toolCalls: [] });
  });

  it("creates an id for every call, even if the text contains ids", () => {
    let next = 0;
    const input = '<tool_calls>[{"id": "1", "name": "a"}, {"id": "1", "name": "b"}]</tool_calls>';
    expect(tryExtractLeakedToolCalls(input, () => `call-${++next}`).toolCalls.map((call) => call.id)).toEqual([
      "call-1",
      "call-2",
    ]);
    const [a, b] = tryExtractLeakedToolCalls(input).toolCalls;
    expect(a?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(a?.id).not.toBe(b?.id);
  });

  it("neither validates names nor limits the number of calls", () => {
    const many = Array.from(
      { length: 300 },
      (_, i) => `<tool_call>{"name": "nobody_${i}", "arguments": {}}</tool_call>`,
    ).join("\n");
    expect(tryExtractLeakedToolCalls(many).toolCalls).toHaveLength(300);
  });
});
