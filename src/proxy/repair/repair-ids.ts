import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECK_LENGTH = 3;
const MARKED_LENGTH = 24;
const MARKED = /^call_([0-9A-Za-z]{24})$/;

/**
 * Generates the random part of a repaired call's id. Its last 3 characters are a checksum, so that another server can
 * recognize the id before the call is stored. For clients it looks like any other id.
 */
export function createRepairIdSuffix(length: number): string {
  // A short id needs all its characters to be unique.
  const check = length < MARKED_LENGTH ? 0 : CHECK_LENGTH;
  const random = Array.from(randomBytes(length - check), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return check === 0 ? random : random + checkOf(random);
}

/** False is certain. Of other ids, 1 in 238,000 looks like a repair id. */
export function looksLikeRepairId(id: string): boolean {
  const suffix = MARKED.exec(id)?.[1];
  return suffix !== undefined && checkOf(suffix.slice(0, -CHECK_LENGTH)) === suffix.slice(-CHECK_LENGTH);
}

/** Not cryptographic: forging a repair id gains nothing. */
function checkOf(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (sum * 131 + letter.charCodeAt(0)) % 2_147_483_629;
  let check = "";
  for (let at = 0; at < CHECK_LENGTH; at += 1) {
    check += ALPHABET[sum % ALPHABET.length];
    sum = Math.floor(sum / ALPHABET.length);
  }
  return check;
}
