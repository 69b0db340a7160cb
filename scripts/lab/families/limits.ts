// What a harness itself says: time limits, refusals, unknown tools, bad arguments, quotas, background jobs. Commands
// with a time limit really run and are really stopped; the sentences are invented here in several wordings.
import { spawn } from "node:child_process";
import type { Category, Label, Producer, Row } from "../types.ts";
import { createPicker, fill, hashText, wordsOf } from "../words.ts";

interface Sentence {
  readonly label: Label;
  readonly category: Category | null;
  readonly also?: readonly Category[];
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly fact?: string;
  readonly texts: readonly string[];
}

const said = (
  label: Label,
  category: Category | null,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  fact: string,
  texts: readonly string[],
  also: readonly Category[] = [],
): Sentence => ({ label, category, also, tool, args, fact, texts });

/** `@partial@` is what the stopped command had printed. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  "time-limit": said("error", "timeout", "Bash", { command: "npm run watch", timeout: 120000 }, "", [
    "Command timed out after 120s\n@partial@",
    "@partial@\n\n[The command was stopped: time limit of 120 seconds reached]",
    "Timeout: the process did not finish within 120000 ms and was killed.\nPartial output:\n@partial@",
    "@partial@\nError: command exceeded the maximum run time (2m) and has been terminated",
    '{"output": "@partialjson@", "timed_out": true, "exit_code": null}',
    '<timeout seconds="120"/>\n@partial@',
    "Process killed after 120.0 seconds (timeout)",
    "@partial@\nThe execution took too long and was aborted (limit: 120 s).",
    "The tool call did not complete in time. Deadline exceeded after 120 s.",
    "execution timed out",
  ]),
  "still-running": said("unknown", null, "Bash", { command: "npm run dev", run_in_background: true }, "", [
    "Started in the background with id bash_@n@. Use the output tool to read it later.",
    "@partial@\n(process is still running, session @n@)",
    "Command moved to the background after 30s; job id @n@. Output so far:\n@partial@",
    "Process running with session ID @big@\nOutput:\n@partial@",
    "The command is still in progress. No exit status yet.",
  ]),
  refused: said(
    "error",
    "permission_denied",
    "Bash",
    { command: "rm -rf build" },
    "",
    [
      "Permission to run this command has been denied by the settings.",
      "The command rm -rf build is not in the list of allowed commands.",
      "Blocked: the policy of this workspace forbids `rm -rf`.",
      "This action needs approval, and approval is not possible in non-interactive mode.",
      "Sandbox: writing outside of the project is not permitted.",
      "Hook before the call refused: deletes are not allowed on branch main",
      '{"decision": "deny", "reason": "destructive command"}',
      "Error: operation not permitted by the sandbox profile",
    ],
    ["cancelled"],
  ),
  rejected: said(
    "error",
    "cancelled",
    "Write",
    { file_path: "src/a.ts" },
    "",
    [
      "The user rejected this change. Wait for further instructions.",
      "User declined to run the tool.",
      "Interrupted by the user",
      "[Request cancelled by user]",
      "The user stopped the command before it finished.\n@partial@",
      "Operation aborted by user (Ctrl+C)",
      "Edit not applied: the reviewer chose No.",
      '{"status": "cancelled", "by": "user"}',
    ],
    ["permission_denied"],
  ),
  "unknown-tool": said(
    "error",
    "unknown_tool",
    "@stem@_search",
    { query: "x" },
    "@stem@_search",
    [
      "Unknown tool: @stem@_search",
      "Tool '@stem@_search' is not available. Available tools: read_file, write_file, shell",
      "No tool named @stem@_search is registered on this server",
      "MCP error -32601: Method not found: @stem@_search",
      '{"error": {"code": -32601, "message": "tool @stem@_search does not exist"}}',
      "Model tried to call unavailable tool '@stem@_search'.",
      "function @stem@_search not defined",
    ],
    ["not_found"],
  ),
  "bad-arguments": said("error", "invalid_arguments", "create_@stem@", { name: 4 }, "@id@", [
    "Invalid arguments for create_@stem@: @id@ is required",
    "MCP error -32602: Invalid params: missing field `@id@`",
    "1 validation error for create_@stem@\n@id@\n  Field required [type=missing, input_value={'name': 4}, input_type=dict]",
    '[{"code":"invalid_type","expected":"string","received":"undefined","path":["@id@"],"message":"Required"}]',
    "InputValidationError: unexpected parameter `@id@`",
    "create_@stem@() got an unexpected keyword argument '@id@'",
    "Schema validation failed: data must have required property '@id@'",
    "Error parsing the arguments of the call: expected ',' after property value near \"@id@\"",
    "Parameter @id@ must be one of: low, medium, high (got 'urgent')",
  ]),
  "rate-limit": said(
    "error",
    "rate_limited",
    "web_search",
    { query: "@stem@" },
    "",
    [
      "Rate limit reached: 10 requests per minute. Try again in 42 seconds.",
      "HTTP 429: Too Many Requests",
      "Monthly quota of 1000 searches is used up.",
      '{"error": {"type": "rate_limit_exceeded", "message": "slow down, retry after 20s"}}',
      "Search provider throttled the request (429), please wait before retrying",
      "You are sending requests too quickly",
    ],
    ["http_client_error"],
  ),
  "bad-key": said(
    "error",
    "auth",
    "search_issues",
    { q: "@stem@" },
    "",
    [
      "Authentication failed: the API key is invalid or was revoked",
      "401 Unauthorized: missing bearer token",
      '{"error": "invalid_token", "error_description": "The access token expired"}',
      "Not logged in. Run `@stem@ login` first.",
      "Error: No API key found for provider @stem@. Set @env@.",
      "You must be signed in to use this tool",
    ],
    ["http_client_error", "precondition", "permission_denied"],
  ),
  "server-down": said(
    "error",
    "network",
    "fetch_url",
    { url: "https://@host@/" },
    "",
    [
      "fetch failed: getaddrinfo ENOTFOUND @host@",
      "Could not connect to @host@: connection refused",
      "MCP server @stem@ disconnected",
      "socket hang up while reading https://@host@/",
      "Network is unreachable",
      "Failed to reach https://@host@/: ECONNRESET",
      "TLS handshake with @host@ failed: certificate has expired",
    ],
    ["error", "crash", "not_found"],
  ),
  "upstream-error": said(
    "error",
    "http_server_error",
    "fetch_url",
    { url: "https://@host@/" },
    "50",
    [
      "Request to https://@host@/ failed with status 503 Service Unavailable",
      "HTTP error 502 (Bad Gateway)",
      '{"status": 500, "error": "Internal Server Error", "path": "/v1/@stem@"}',
      "The API returned 500: unexpected failure, please retry later",
      "Upstream answered 504 Gateway Timeout",
    ],
    ["timeout"],
  ),
  "page-missing": said(
    "error",
    "not_found",
    "fetch_url",
    { url: "https://@host@/docs" },
    "404",
    [
      "Failed to fetch https://@host@/docs: 404 Not Found",
      "The server responded with status code 404",
      '{"code": 404, "message": "no such page"}',
      "GET https://@host@/docs → HTTP 404",
    ],
    ["http_client_error"],
  ),
  "too-large": said(
    "error",
    "oversized",
    "read_log",
    { path: "@stem@.log" },
    "",
    [
      "Output of @big@0 tokens is above the limit of 25000 tokens. Narrow the request.",
      "Response too large (@big@ KB). Maximum is 512 KB.",
      "Result exceeds the maximum size for a tool result; use pagination",
      "413 Payload Too Large",
    ],
    ["http_client_error", "error"],
  ),
  "gone-process": said(
    "error",
    "crash",
    "browser_click",
    { selector: "#save" },
    "",
    [
      "Target page, context or browser has been closed",
      "The worker process exited unexpectedly with signal SIGKILL",
      "Browser crashed while loading the page",
      "Python kernel died: out of memory",
      "Connection to the sandbox was lost: container stopped (OOMKilled)",
    ],
    ["error", "network"],
  ),
  "selector-missing": said(
    "error",
    "not_found",
    "browser_click",
    { selector: "#@stem@" },
    "@stem@",
    [
      "No element matches selector #@stem@",
      "Element #@stem@ not found on the page",
      "locator('#@stem@') resolved to 0 elements",
    ],
    ["error", "precondition", "timeout"],
  ),
  "soft-false": said(
    "error",
    "failed",
    "update_@stem@",
    { id: 3 },
    "",
    [
      '{"success": false}',
      '{"ok": false, "data": null}',
      "Result: failure",
      '{"status": "failed", "id": 3}',
      "Operation unsuccessful",
    ],
    ["error"],
  ),
  "order-first": said(
    "error",
    "precondition",
    "submit_@stem@",
    { id: 3 },
    "",
    [
      "No @stem@ is open. Call open_@stem@ first.",
      "Cannot submit: @stem@ 3 is still a draft",
      "Conflict: @stem@ 3 was changed by another client, fetch it again",
      '{"error": "@stem@ must be initialised before use"}',
      "Record 3 is locked by @user@",
    ],
    ["error", "http_client_error"],
  ),
  "record-missing": said(
    "error",
    "not_found",
    "get_@stem@",
    { id: "@big@" },
    "@big@",
    [
      "No @stem@ with id @big@",
      "@type@ @big@ does not exist",
      '{"error": "@stem@ @big@ not found"}',
      "Error: could not find @stem@ '@big@'",
      "Record @big@ was not found in table @stem@",
    ],
    ["error"],
  ),
  "plain-error": said(
    "error",
    "error",
    "run_@stem@",
    { id: 3 },
    "@msg@",
    [
      "Error executing tool run_@stem@: @msg@",
      "Error: @msg@",
      '{"error": "@msg@"}',
      "run_@stem@ failed: @msg@",
      "Exception while running run_@stem@: @type@Error: @msg@",
      "### Error\n@msg@",
      '{"isError": true, "content": [{"type": "text", "text": "@msg@"}]}',
      "Something went wrong: @msg@",
      "Internal error (@msg@)",
      "invalid: @msg@",
      "failed: @msg@",
      "exception: @msg@",
      "Unable to run run_@stem@: @msg@",
      "Cannot continue because @msg@",
      "The request could not be completed. Reason: @msg@",
      "[run_@stem@] ERROR @msg@",
      '{"error": "", "response": "{\'error\': \'@msg@\'}"}',
    ],
    ["failed", "precondition"],
  ),
  truncated: said("ok", null, "Bash", { command: "cat big.log" }, "", [
    "@partial@\n[output truncated: 1200 more lines]",
    "<warning>Output was cut after 30000 characters</warning>\n@partial@",
    "@partial@\n... (result too long, showing the first part; use start_index to continue)",
  ]),
  "ok-json": said("ok", null, "update_@stem@", { id: 3 }, "", [
    '{"success": true, "error": null}',
    '{"status": "ok", "errors": [], "failed": 0}',
    '{"result": {"id": 3, "error_count": 0, "last_error": "@msg@", "state": "running"}}',
    '{"error": "", "response": {"items": [1, 2, 3]}}',
    '{"items": [{"title": "How to fix error @big@"}, {"title": "@msg@ explained"}], "total": 2}',
    "Updated @stem@ 3. 0 errors, 1 warning.",
    "Error code: 0 (success)",
    "error: none\nstate: active",
    "Health: ok\nFailures in the last hour: 0",
    '{"data": [], "count": 0}',
    "No results found.",
    "No open incidents.",
  ]),
  "ok-search": said("ok", null, "web_search", { query: "@msg@ error" }, "", [
    '1. Fixing "@msg@" (forum)\n   The error appears when the cache is stale. Permission denied means…\n2. Error @big@ reference\n   Causes: timeout, connection refused.',
    "Title: Common failures of @stem@\nSnippet: Traceback (most recent call last) … ValueError: @msg@",
    'Found 3 issues: #12 "Crash: @msg@" (closed), #14 "Timeout in @stem@" (open), #19 "404 on docs" (closed)',
  ]),
  "ok-recovered": said("ok", null, "sync_@stem@", { all: true }, "", [
    "Attempt 1 failed (@msg@), attempt 2 succeeded. 14 records synced.",
    "Primary host unreachable, fell back to replica. Done: 14 records.",
    "Warning: cache could not be written (permission denied), continuing without it.\nSynced 14 records.",
    "Skipped 1 invalid row: @msg@. Imported 99 of 100 rows.",
  ]),
  "ok-describe": said("ok", null, "list_tools", {}, "", [
    "report_error: Sends an error report. Fails if the report is empty.\nretry_failed: Runs failed jobs again. Returns an error when none failed.",
    "Content type text/plain cannot be simplified, here is the raw content:\n@partial@",
    "- @stem@: throws @type@Error if @msg@\n- @other@: returns 404 when missing",
  ]),
};

function partialOutput(script: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", script], { detached: true });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), 2_000);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(text.trimEnd());
    });
  });
}

const SCRIPTS = [
  "echo '> watch'; echo 'compiled 14 modules'; sleep 5",
  'for i in 1 2 3; do echo "row $i ok"; done; sleep 5',
  "echo 'listening on 127.0.0.1:3000'; sleep 5",
  "printf 'resolving\\nfetching\\n'; sleep 5",
];

async function produce(): Promise<readonly Row[]> {
  const partials = await Promise.all(SCRIPTS.map(partialOutput));
  const rows: Row[] = [];
  for (const [breakage, sentence] of Object.entries(SENTENCES))
    for (const [n, text] of sentence.texts.entries())
      for (let k = 0; k < 2; k++) {
        const seed = (hashText(breakage) % 10_000) + n * 13 + k;
        const partial = createPicker(seed)(partials);
        const words = { ...wordsOf(seed), partial, partialjson: JSON.stringify(partial).slice(1, -1) };
        const content = fill(text, words);
        const fact = fill(sentence.fact ?? "", words);
        rows.push({
          ...{ id: `limits/${breakage}/${n}/${seed}`, family: "limits", program: "harness", breakage, language: "en" },
          ...{
            tool_name: fill(sentence.tool, words),
            arguments: JSON.parse(fill(JSON.stringify(sentence.args), words)),
          },
          ...{ content, status_shown: "hidden", status_style: "none", exit_code: null },
          ...{ label: sentence.label, category: sentence.category, also: sentence.also ?? [] },
          ...{ fact: content.includes(fact) ? fact : "", soft: false, convention: null, seed },
        });
      }
  return rows;
}

export const LIMITS: Producer = { name: "limits", version: "3", produce };
