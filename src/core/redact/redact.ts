import { findCommandSecrets } from "./command-secrets.ts";
import { findCredentials } from "./header-values.ts";
import { findKeyBlocks } from "./key-blocks.ts";
import { findFileSecrets } from "./file-secrets.ts";
import { findDeclaredVariables } from "./name-value-lists.ts";
import { findNamedValues } from "./named-values.ts";
import { sourceOf } from "./plain-view.ts";
import { findSpokenSecrets } from "./spoken-secrets.ts";
import { type Report, replaceSpans, SECRET, type Span } from "./span.ts";
import { findTokens } from "./tokens.ts";
import { findUrlCredentials, findWebHooks } from "./urls.ts";

/**
 * Replaces every credential in a text by a mark: keys by their vendors' shapes, values by their names, arguments of commands, passwords in
 * addresses, headers, files and sentences. The time is linear in the length of the text, and redacting twice changes nothing.
 *
 * @example
 * redactSecrets("mysql -uroot -phunter2 shop"); // "mysql -uroot -p[secret] shop"
 */
export function redactSecrets(text: string): string {
  const spans: Span[] = [];
  const report: Report = (start, end, by = SECRET) => {
    spans.push({ start, end, by });
  };
  const source = sourceOf(text);
  findKeyBlocks(source, report);
  findTokens(source.view, report);
  findUrlCredentials(source, report);
  findWebHooks(source, report);
  findNamedValues(source, report);
  findDeclaredVariables(source, report);
  findCredentials(source, report);
  findCommandSecrets(source, report);
  findFileSecrets(source, report);
  findSpokenSecrets(source, report);
  return replaceSpans(text, spans);
}
