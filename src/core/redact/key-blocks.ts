import type { Source } from "./plain-view.ts";
import { PRIVATE_KEY, type Report } from "./span.ts";

const BEGIN = "-----BEGIN ";
const END = "-----END ";

/** Finds private keys: PEM and PGP blocks, whole or cut off, and the keys of PuTTY and OpenVPN. */
export function findKeyBlocks({ view }: Source, report: Report): void {
  for (let at = view.indexOf(BEGIN); at !== -1; ) {
    const title = /^[A-Z0-9 ]{1,60}/.exec(view.slice(at + BEGIN.length, at + BEGIN.length + 60))?.[0] ?? "";
    if (!/PRIVATE|SECRET/.test(title)) {
      at = view.indexOf(BEGIN, at + BEGIN.length);
      continue;
    }
    const close = view.indexOf(END, at);
    const closeEnd = close === -1 ? -1 : view.indexOf("-----", close + END.length);
    const end = closeEnd === -1 ? view.length : closeEnd + 5;
    report(at, end, PRIVATE_KEY);
    at = view.indexOf(BEGIN, end);
  }
  if (view.includes("Private-Lines:"))
    findLines(view, /Private-Lines:[ \t]{0,4}\d{1,3}\s{1,20}((?:[A-Za-z0-9+/=]{1,200}\s{1,20}){1,60})/g, report);
  if (view.includes("Private-MAC:")) findLines(view, /Private-MAC:[ \t]{0,4}([0-9a-f]{32,128})/g, report);
  if (view.includes("<auth-user-pass>"))
    findLines(view, /<auth-user-pass>\s{1,20}\S{1,200}\s{1,20}([^\s<]{1,200})/g, report);
}

function findLines(view: string, pattern: RegExp, report: Report): void {
  for (const match of view.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const value = match[1] ?? "";
    report(end - value.length, end - (value.length - value.trimEnd().length));
  }
}
