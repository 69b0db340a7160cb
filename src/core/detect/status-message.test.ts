import { expect, test } from "vitest";
import type { Outcome } from "../model/outcome.ts";
import { formatStatusMessage } from "./index.ts";

const failed: Outcome = {
  status: "failed",
  flag: "failed",
  reported: "failed",
  soft: false,
  category: "exit_code",
  evidence: [],
  confidence: 1,
  message: "error",
};

test("the message of a failed command contains its exit code", () => {
  expect(formatStatusMessage({ ...failed, exitCode: 1 }, "Bash")).toBe("[EXIT_CODE] Bash exit=1 - error");
});

test("the message omits exit code 0", () => {
  expect(formatStatusMessage({ ...failed, exitCode: 0 }, "Bash")).toBe("[EXIT_CODE] Bash - error");
});

test("the message contains durations above 30 seconds, in whole seconds", () => {
  expect(formatStatusMessage({ ...failed, durationMs: 30_000 }, "Bash")).toBe("[EXIT_CODE] Bash - error");
  expect(formatStatusMessage({ ...failed, category: "timeout", exitCode: 143, durationMs: 45_400 }, "Bash")).toBe(
    "[TIMEOUT] Bash exit=143 duration=45s - error",
  );
});

test("the message is truncated with an ellipsis after 100 characters", () => {
  expect(formatStatusMessage({ ...failed, message: "x".repeat(100) }, "Bash")).toBe(
    `[EXIT_CODE] Bash - ${"x".repeat(100)}`,
  );
  expect(formatStatusMessage({ ...failed, message: "x".repeat(101) }, "Bash")).toBe(
    `[EXIT_CODE] Bash - ${"x".repeat(100)}...`,
  );
});

test("a message that is too long is shown with the clause that leads to its end", () => {
  const message =
    "docker: Error response from daemon: driver failed programming external connectivity on endpoint calm_fox: Bind for 0.0.0.0:80 failed: port is in use";
  expect(formatStatusMessage({ ...failed, message }, "Bash")).toBe(
    "[EXIT_CODE] Bash - Error response from daemon: driver failed programming...: Bind for 0.0.0.0:80 failed: port is in use",
  );
});

test("the name of a failed test is shown, however long the message is", () => {
  const message = `rounds up: Error: ${"x".repeat(100)}`;
  expect(formatStatusMessage({ ...failed, category: "test_failure", message }, "Bash")).toContain(
    "rounds up: Error: x",
  );
});

test("values that a test compared are shown with their labels, behind the name of the test", () => {
  const message =
    'prices \u203a the end of the month is clamped when clocks change in spring: Expected: "2025-03-31" Received: "2025-03-30"';
  expect(formatStatusMessage({ ...failed, category: "test_failure", message }, "Bash")).toBe(
    '[TEST_FAILURE] Bash - prices \u203a the end of the month is clamped when...: Expected: "2025-03-31" Received: "2025-03-30"',
  );
});

test.each([
  [
    "folders are left out",
    "/home/mara/depot/packages/billing/src/rounding.ts:41:7: amounts with more than two decimals are refused by the ledger",
    "rounding.ts:41:7: amounts with more than two decimals are refused by the ledger",
  ],
  [
    "sentences that advise are left out",
    "The user refused this use of the tool in the dialog. Stop what you are doing, and wait until the user has told you how to go on.",
    "The user refused this use of the tool in the dialog.",
  ],
  [
    "the last clauses stay whole if they tell enough",
    'E0702 memo.go:265] no list of groups from the server of the cluster: Get "https://10.0.0.7:8443/api": dial tcp 10.0.0.7:8443: connect: no route to host',
    'Get "https://10.0.0.7:8443/api": dial tcp 10.0.0.7:8443: connect: no route to host',
  ],
  [
    "what the cloud calls an operation is left out",
    "An error occurred (TooLarge) when calling the UpdateThumbnailCode operation: The upload has to be smaller than 70167211 bytes",
    "The upload has to be smaller than 70167211 bytes",
  ],
  [
    "a reason in the same sentence is shown behind the subject",
    "Das Skript im Ordner der Etiketten kann nicht geladen werden, da die Ausf\u00fchrung von Skripten auf diesem System deaktiviert ist.",
    "Das Skript im Ordner der..., da die Ausf\u00fchrung von Skripten auf diesem System deaktiviert ist.",
  ],
  [
    "addresses in brackets are left out",
    "The rules of this site (https://shop.example/robots.txt), which apply to all programs, say that fetching this is not allowed",
    "The rules of this site, which apply to all programs, say that fetching this is not allowed",
  ],
  [
    "packages of exceptions are left out",
    "org.example.warehouse.stock.StockLevelException: bin 12 of aisle 4 is empty, although the count says that it is full",
    "StockLevelException: bin 12 of aisle 4 is empty, although the count says that it is full",
  ],
  [
    "an object behind the reason is left out",
    'No such element on the page after three attempts to find the button: {"method":"xpath","selector":"//button[3]"}',
    "No such element on the page after three attempts to find the button",
  ],
  [
    "the subject is cut before the reason",
    "cp: impossible de créer le fichier standard '/media/disque/rapports/annuel.odt': le support est protégé en écriture",
    "cp: impossible de créer le fichier standard 'annuel.odt': le support est protégé en écriture",
  ],
  [
    "both the subject and the reason are shown",
    "An error occurred (ThrottledWrites) when calling the PutRecordBatch operation on stream orders: The stream takes no more records",
    "An error occurred (ThrottledWrites) when calling the...: The stream takes no more records",
  ],
  [
    "advice behind the statement is left out",
    "Could not find the text to replace in queue.ts. The text has to match the file exactly, with all of its blank characters and lines",
    "Could not find the text to replace in queue.ts.",
  ],
  [
    "a value behind the last colon does not replace the statement",
    'The quota for processors was exceeded in this region, so that the machine was not created. Limit: "8.0" in region "north"',
    "The quota for processors was exceeded in this region, so that the machine was not created.",
  ],
])("in a message that is too long, %s", (_, message, shown) => {
  expect(formatStatusMessage({ ...failed, message }, "Bash")).toBe(`[EXIT_CODE] Bash - ${shown}`);
});

test("a clause between brackets is not shown without its beginning", () => {
  const message =
    "the access data of this account have changed (name, code, or required step by its owner) and a new login is needed for it";
  expect(formatStatusMessage({ ...failed, message }, "sync")).toBe(
    "[EXIT_CODE] sync - the access data of this account have changed (name, code, or required step by its owner) and a new l...",
  );
});

test("of several sentences the first one is shown, not the last clause", () => {
  const message =
    "Please note that the forecast requires a separate subscription to the plan of that name. If you have one, but still see this, ask us";
  expect(formatStatusMessage({ ...failed, message }, "get")).toBe(
    "[EXIT_CODE] get - Please note that the forecast requires a separate subscription to the plan of that name. If you have...",
  );
});

test("every category is printed in capitals", () => {
  expect(formatStatusMessage({ ...failed, category: "permission_denied" }, "Read")).toBe(
    "[PERMISSION_DENIED] Read - error",
  );
});

test("a successful call has no message", () => {
  expect(formatStatusMessage({ ...failed, status: "ok" }, "Bash")).toBeUndefined();
  expect(formatStatusMessage({ ...failed, status: "unknown" }, "Bash")).toBeUndefined();
});
