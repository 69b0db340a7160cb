import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECK_LENGTH = 3;
const MARKED_LENGTH = 24;
const MARKED = /^call_([0-9A-Za-z]{24})$/;

/**
 * Letters for the id of a call that repair makes. The last three follow from the others, so that whoever meets the id knows that it may be ours: another
 * server's, whose record is not stored yet. To everybody else it looks like any id.
 */
export function createRepairIdSuffix(length: number): string {
  // A short id needs all of its letters to be nobody else's.
  const check = length < MARKED_LENGTH ? 0 : CHECK_LENGTH;
  const random = Array.from(randomBytes(length - check), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return check === 0 ? random : random + checkOf(random);
}

/** Certain where it says no; of the ids of others one in 238,000 looks like ours. */
export function looksLikeRepairId(id: string): boolean {
  const suffix = MARKED.exec(id)?.[1];
  return suffix !== undefined && checkOf(suffix.slice(0, -CHECK_LENGTH)) === suffix.slice(-CHECK_LENGTH);
}

/** Against accidents only: nobody gains anything by an id that looks like ours. */
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
