const QUOTES = "\"'`\u00ab\u201c\u201e\u2018\u300c";
const MARKS = "/\\_=#<";

/** Whether a text names something: a number, a path, an identifier, or words in quotes. */
export function hasSpecifics(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const char = text.charAt(at);
    if ((code >= 48 && code <= 57) || MARKS.includes(char)) {
      return true;
    }
    // An apostrophe stands behind a letter.
    if (QUOTES.includes(char) && !isLetter(text.charCodeAt(at - 1))) {
      return true;
    }
    const isInside = isLetter(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at + 1));
    if (isInside && (char === "." || (isCapital(code) && !isCapital(text.charCodeAt(at - 1))))) {
      return true;
    }
  }
  return false;
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
