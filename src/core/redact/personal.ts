import type { Report, Source } from "./span.ts";

/** Finds personal data by its format: email addresses, phone, card and account numbers. */
export function findPersonal({ view }: Source, report: Report): void {
  findEmails(view, report);
  findPhones(view, report);
  findCards(view, report);
  findIbans(view, report);
}

const LOCAL = /[A-Za-z0-9._%+-]{1,64}$/;
const DOMAIN = /(?:[A-Za-z0-9-]{1,63}\.){1,5}([A-Za-z]{2,24})(?![A-Za-z0-9-])/y;
/** `icon@2x.png` is a file, and `git@` is a login name of servers. */
const FILE = /^(?:png|jpe?g|gif|svg|webp|ico|js|mjs|ts|tsx|css|map|json|md|html|py|go|rs)$/i;

function findEmails(view: string, report: Report): void {
  for (let at = view.indexOf("@"); at !== -1; at = view.indexOf("@", at + 1)) {
    const local = LOCAL.exec(view.slice(Math.max(0, at - 64), at))?.[0];
    if (local === undefined || local === "git" || local.startsWith(".")) continue;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(view);
    if (domain !== null && !FILE.test(domain[1] ?? "")) report(at - local.length, DOMAIN.lastIndex, "[email]");
  }
}

const INTERNATIONAL = /(?<![\w+.=/-])\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,4}(?![\w-])/g;
const AMERICAN = /(?<![\w.+-])(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\w-])/g;

function findPhones(view: string, report: Report): void {
  for (const pattern of [INTERNATIONAL, AMERICAN])
    for (const match of view.matchAll(pattern)) {
      const digits = match[0].replace(/\D/g, "").length;
      if (digits >= 8 && digits <= 15) report(match.index, match.index + match[0].length, "[phone]");
    }
}

const CARD = /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d{2,6}){2,4}(?![\w-])/g;
/** Card numbers that networks issue, by first digits and length. */
const ISSUED =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12,15})$/;

function findCards(view: string, report: Report): void {
  for (const match of view.matchAll(CARD)) {
    const digits = match[0].replace(/\D/g, "");
    if (ISSUED.test(digits) && hasLuhnDigit(digits)) report(match.index, match.index + match[0].length, "[card]");
  }
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += index % 2 === 1 ? doubled : digit;
  }
  return sum % 10 === 0;
}

const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;

function findIbans(view: string, report: Report): void {
  for (const match of view.matchAll(IBAN)) {
    const account = match[0].replaceAll(" ", "");
    if (account.length >= 15 && account.length <= 34 && hasIbanRemainder(account))
      report(match.index, match.index + match[0].length, "[iban]");
  }
}

/**
 * The IBAN check: with the first 4 characters moved to the end and letters replaced by numbers from 10 on, the
 * remainder by 97 is 1.
 */
function hasIbanRemainder(account: string): boolean {
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
