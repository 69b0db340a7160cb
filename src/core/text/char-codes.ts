/** Names of character codes, for code that reads text by character or by byte. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const ESCAPE = 27;
export const SPACE = 32;
export const DOUBLE_QUOTE = 34;
export const PERCENT = 37;
export const AMPERSAND = 38;
const SINGLE_QUOTE = 39;
export const OPEN_PARENTHESIS = 40;
export const CLOSE_PARENTHESIS = 41;
export const COMMA = 44;
export const DASH = 45;
export const DOT = 46;
export const SLASH = 47;
export const DIGIT_0 = 48;
export const DIGIT_9 = 57;
export const COLON = 58;
export const SEMICOLON = 59;
export const EQUALS = 61;
export const GREATER_THAN = 62;
export const QUESTION_MARK = 63;
const UPPER_A = 65;
const UPPER_Z = 90;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const UNDERSCORE = 95;
const BACKTICK = 96;
const LOWER_A = 97;
const LOWER_Z = 122;
export const OPEN_BRACE = 123;
export const PIPE = 124;
export const CLOSE_BRACE = 125;
export const MAX_ASCII = 127;
export const BYTE_ORDER_MARK = 0xfeff;

const FIRST_HIGH_SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

export function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

export function isLowercase(code: number): boolean {
  return code >= LOWER_A && code <= LOWER_Z;
}

export function isUppercase(code: number): boolean {
  return code >= UPPER_A && code <= UPPER_Z;
}

/** True for ASCII letters. */
export function isLetter(code: number): boolean {
  return isLowercase(code) || isUppercase(code);
}

const ASCII_NAME_CHARS = Uint8Array.from({ length: 128 }, (_, code) =>
  isLetter(code) || isDigit(code) || code === UNDERSCORE || code === DASH || code === DOT ? 1 : 0,
);

/** True for ASCII letters and digits, and for `_`, `-` and `.`, which join them in names. */
export function isAsciiNameChar(code: number): boolean {
  return ASCII_NAME_CHARS[code] === 1;
}

export function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === BACKTICK;
}

/** True for the first half of a character that takes two codes. */
export function isHighSurrogate(code: number): boolean {
  return code >= FIRST_HIGH_SURROGATE && code <= LAST_HIGH_SURROGATE;
}
