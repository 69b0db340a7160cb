import { isDigit } from "../text/char-codes.ts";

/** Words that follow the name of a secret but are not secret: types, states, and words of sentences. */
const WORDS: ReadonlySet<string> = new Set(
  [
    "string str text varchar char int integer number float double bool boolean any unknown object array list dict map bytes byte buffer date uuid void never",
    "null none nil function symbol bigint undefined true false yes no on off required optional nullable default invalid incorrect wrong missing expired empty blank unset set",
    "changed reset updated failed failure error ok success successful valid denied disabled enabled hidden masked redacted secret secrets password passwords",
    "passwd passphrase token tokens key keys value values example sample placeholder todo tbd n/a na not is are was must should will has have had be been",
    "the a an and or for with from to of in on at by as it this that these those your my our his her their its new old current same other another",
    "authentication authorization authenticated authorized bearer basic digest negotiate hash hashed encrypted plain plaintext bcrypt argon2 argon2id scrypt",
    "md5 sha1 sha256 sha384 sha512 aes aes256 rsa hmac hs256 hs512 rs256 es256 jwt oauth oauth2 saml saml2 oidc ldap ldaps ssl tls tls1 mtls x509 base64 utf8 utf-8 ascii",
    "file path url uri env environment vault prompt stdin input manual auto automatic random generated global local internal external shared public private",
    "sensitive confidential opaque generic typed credential credentials user username login admin administrator client server account email name id type",
    "found provided given sent used using needed expected unexpected supplied accepted rejected revoked created deleted stored saved removed rotated leaked",
    "mismatch mismatched length strength policy manager field prompt1 please enter repeat confirm retype again here there see use if when but only also",
    "too short long weak strong min max minimum maximum least characters chars letters digits 8+ readonly writeonly write-only undefined; latest",
    "passwort kennwort contraseña senha parola пароль 密码 requerido requerida obligatorio obligatoria obrigatório obrigatória requis erforderlich richiesta",
  ]
    .join(" ")
    .split(" "),
);

/** References to a value that is defined elsewhere. */
const REFERENCE = [
  // $NAME, ${NAME}, $(command), %NAME%, {{ name }}, {name}, <name>, #{name}, !Ref, @name, *alias
  /^\$[A-Za-z_][A-Za-z0-9_]*[)},;]*$|^\$[{(]|^%[A-Za-z_][A-Za-z0-9_]*%?$|^%[sdvq(]|^\{\{|^\{[a-z_]*\}?$|^<[^>]*>?$|^#\{|^![A-Za-z]|^&[a-z]|^\*[a-z_]+$/,
  // A call, an index, a chain of members.
  /^(?:await|new|self|this|process|os|config|options|opts|props|req|request|res|response|env|settings|args|params|ctx|context|state|data|user|body|input|form|session|import|secrets|vars|var|local|module|each|steps|github|inputs|matrix|event|cfg|conf|app|result|payload|store|window|document|sys|System|Environment|lambda|function|async|crypto|random|z|yup|joi|Joi|Type|t|S|Schema|std|util|utils)\b[.?[(]/,
  /^[A-Za-z_$][A-Za-z0-9_$]{0,60}(?:(?:\?\.|\.|::|->)[A-Za-z_$][A-Za-z0-9_$]{0,60}){0,8}(?:\?\.)?[([]/,
  /^(?:urn|arn|vault|op|ref\+|file|env|ssm|sops|secretsmanager|keyring|doppler|gcp|azurekeyvault|projects):?(?:\/\/|:)/i,
  /^https?:\/\/|^[a-z][a-z0-9+.-]{1,20}:\/\//i,
];
const MEMBERS_WITH_DIGITS = /^[A-Za-z_$][\w$]{0,60}(?:\??\.[A-Za-z_$][\w$]{0,60}){1,6}$/;
/** Character classes and counts of a regular expression. */
const PATTERN = /\[[a-z]-[a-z]|\[\^|\{\d{1,5},\d{0,5}\}/i;
const MEMBERS = /^[A-Za-z_$][A-Za-z_$]{0,40}(?:\??\.[A-Za-z_$][A-Za-z_$]{0,40}){1,6}$/;
const SECRET_WORD = /passw|passphrase|passwd|pwd|secret|token|key|credential|auth/i;
const MASKED = /^(?:[*x•.#_? -]{3,}|[[<(]?(?:redacted|hidden|masked|filtered|removed)[\])>]?)$/i;
const PATH = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$|^[A-Za-z]:\\/;
const SENTENCE_WORD =
  /\b(?:is|are|be|must|should|may|can|cannot|not|the|your|of|for|and|or|to|with|this|field|required|least|characters|invalid|enter|please|used|has|will|does|do|match|too)\b/i;

/** True if the value names, describes or references a secret but is not one itself. */
export function isPlaceholder(value: string): boolean {
  if (value.length < 3 || MASKED.test(value) || !/[\p{L}\p{N}]/u.test(value)) return true;
  if (isKnownWord(value)) return true;
  if (isTemplate(value) || isShortened(value) || /^\/[^/]*[[\\]/.test(value)) return true;
  if (isReference(value) || PATTERN.test(value)) return true;
  if (/^(?:your|enter|insert|put|replace|paste|<|example)[-_ ]?(?:my|the|own)?[-_ ]?/i.test(value) && !/\d/.test(value))
    return true;
  if (/^[A-Z][A-Z_]*_[A-Z_]+$/.test(value) && SECRET_WORD.test(value)) return true;
  return isPath(value) || isSentence(value);
}

/** True if the value is a listed word, or an expression that starts with one: `string | null`. */
function isKnownWord(value: string): boolean {
  const word = value.replace(/^[\s([{]+|[\s.,;:!?)\]}]+$/g, "").toLowerCase();
  if (WORDS.has(word)) return true;
  const first = /^([a-z]+)(?:[|:(<[&?]| [<>=|&]|$)/.exec(word)?.[1];
  return first !== undefined && WORDS.has(first) && word.length > first.length;
}

function isReference(value: string): boolean {
  if (REFERENCE.some((pattern) => pattern.test(value)) || MEMBERS.test(value)) return true;
  return MEMBERS_WITH_DIGITS.test(value) && SECRET_WORD.test(value);
}

/** True for a text with placeholders, such as `Bearer ${token}`, if the remaining text does not look random. */
function isTemplate(value: string): boolean {
  if (!/[$#]\{|\{\{|^\$\w+[:@/.]\$/.test(value)) return false;
  const fixed = value.replace(/[$#]\{[^}]{0,200}\}?|\{\{[^}]{0,200}\}{0,2}|\$\w{1,60}/g, " ");
  return !fixed.split(/[\s:/=,-]+/).some((part) => looksRandom(part));
}

/** `sk-ant-...` in instructions, `sk_test_****1234` in an error. */
function isShortened(value: string): boolean {
  return /\*{3}/.test(value) || (value.length < 16 && /(?:\.{3}|…)$/.test(value));
}

function isPath(value: string): boolean {
  if (!PATH.test(value) || value.length === 40 || value.length === 44) return false;
  return value.length < 20 || value.split("/").length > 3 || /\.[a-z]{1,6}$/.test(value);
}

/** Several words, at least one of which is typical of sentences. */
function isSentence(value: string): boolean {
  return value.includes(" ") && value.length < 400 && SENTENCE_WORD.test(value);
}

/** True for a name in code: `hashedPassword`, `newToken`, `Optional`. */
export function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$][A-Za-z_$]*$/.test(value);
}

export function namesSecret(value: string): boolean {
  return SECRET_WORD.test(value) && !/\d/.test(value);
}

/** True if letters are mixed with digits or symbols in a way that is rare in words. */
export function looksRandom(written: string): boolean {
  const value = written.replace(/[.,:;!?…]{1,20}$/, "");
  if (value.length < 6) return false;
  const digits = countDigits(value);
  if (digits === value.length) return digits <= 12 || digits >= 30;
  if (isOrdinaryMix(value)) return false;
  if (digits > 0) return /[A-Za-z]/.test(value);
  if (/[^\p{L}\p{N}_\-./\s]/u.test(value)) return /[A-Za-z]/.test(value) && !/[()<>{}|\s]/.test(value);
  return value.length >= 12 && isMixedCase(value);
}

/** True for letters with capitals where no word has them. */
export function isMixedCase(value: string): boolean {
  if (value.length < 8) return false;
  // Words of a camel-case name have about 4 letters each; random letters change case much more often.
  const parts = value.match(/[A-Z][a-z]*|[a-z]+/g)?.length ?? 0;
  return value.length / parts < 3 && /[a-z]/.test(value);
}

function countDigits(value: string): number {
  let digits = 0;
  for (let at = 0; at < value.length; at += 1) {
    if (isDigit(value.charCodeAt(at))) digits += 1;
  }
  return digits;
}

/** Versions, sizes, times, dates, addresses and file names. */
function isOrdinaryMix(value: string): boolean {
  return (
    /^v?\d{1,5}(?:\.\d{1,8}){1,4}(?:[-+][\w.]{1,20})?$/.test(value) ||
    /^\d{1,6}(?:ms|s|m|h|d|w|px|em|rem|kb|mb|gb|kib|mib|gib|b|k|x|%|st|nd|rd|th|am|pm|bit|bits|fa)$/i.test(value) ||
    /^\d{4}-\d{2}-\d{2}/.test(value) ||
    /^[\d.]+(?::\d{1,5})?$/.test(value) ||
    /^[\w./-]{1,120}\.(?:js|ts|tsx|jsx|py|rb|go|rs|json|ya?ml|toml|md|txt|pem|crt|html|css|sh|java|kt|php|lock|sql|env)(?::\d+)*$/i.test(
      value,
    )
  );
}
