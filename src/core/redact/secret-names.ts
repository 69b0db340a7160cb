import { DASH, isDigit, MAX_ASCII, SPACE, UNDERSCORE } from "../text/char-codes.ts";
/**
 * The class of a name.
 * - `strong`: the value is a secret, whatever it looks like (`DB_PASSWORD`).
 * - `weak`: the value is a secret if it looks random (`token`, which is also an ordinary word).
 * - `code`: a short number that is used once.
 * - `authorization`, `cookie`: headers with a special syntax.
 */
export type NameClass = "strong" | "weak" | "code" | "authorization" | "cookie";

/** Labels for passwords in other languages; `_` matches a space. */
const FOREIGN = [
  ..."contraseña contrasena contraseñas contrasenya mot_de_passe mdp passwort kennwort passwörter senha palavra_passe wachtwoord passwoord zugangscode".split(
    " ",
  ),
  ..."lösenord losenord adgangskode kodeord passord salasana tunnussana hasło haslo heslo jelszó jelszo parolă parola şifre sifre".split(
    " ",
  ),
  ..."geslo lozinka zaporka slaptažodis parole parool aðgangsorð лозинка пароль парол κωδικός συνθηματικό 密码 密碼 口令 密钥 密鑰 秘钥 令牌 トークン 秘密鍵 apiキー api_schlüssel api-schlüssel clé_api clé_secrète clave_api clave_secreta chave_api chave_secreta api_ключ ключ_api".split(
    " ",
  ),
  ..."パスワード 暗証番号 비밀번호 암호 mật_khẩu kata_sandi sandi katalaluan รหัสผ่าน كلمة_المرور كلمة_السر رمز_عبور سیسمہ סיסמה סיסמא पासवर्ड कूटशब्द কূটশব্দ கடவுச்சொல்".split(
    " ",
  ),
];

/** Kinds of keys that grant access. Other keys identify a row, a file or a button. */
const ACCESS_KEYS =
  "api|access|private|secret|account|signing|sign|signature|encryption|encrypt|decryption|decrypt|master|shared|subscription|license|licence|deploy|deployment|auth|app|application|storage|hmac|aes|unseal|fernet|sas|jwt|webhook|security|recovery|crypt|cipher|wrapping|transit|product|activation|consumer|instrumentation|ingestion|integration|rest|service|admin|root|function|host|bot|sdk|write|ssh|gpg|pgp|rsa|preshared|pre_shared|client|session|cookie";
const STRONG = new RegExp(
  [
    "(?:passw(?:or)?ds?|passphrases?|pass_phrase|passcodes?|pwds?|pswd|passw)$",
    "(?:^|_)pw$|(?:bind|root|user|admin|login|db|smtp)_?pw$",
    "(?:^|_)(?:db|user|smtp|mail|my|require|master|sudo|become|ftp|root|admin|key|store|keystore|truststore|ssh|http|wifi|login|sasl|app|auth)pass$|[a-z0-9]_pass$",
    "secrets?$|(?:master|require)auth$",
    `(?:^|_)(?:${ACCESS_KEYS})_?keys?$`,
    "(?:apikeys?|accesskey|privatekey|secretkey|authkey|sharedaccesskey|accountkey|masterkey|appkey|signingkey)$",
    "(?:client|private)_key_(?:data|id)$",
    "(?:access|auth|refresh|bearer|session|security|api|bot|csrf|xsrf|id|oauth|jwt|root|service|deploy|personal|user|reset)_?tokens?$",
    `(?:${FOREIGN.join("|")})$`,
  ].join("|"),
);
const WEAK = new RegExp(
  [
    "tokens?$|credentials?$|creds$|(?:^|_)auth$|(?:^|_)pass$|(?:^|_)clave$|(?:^|_)psk$|(?:^|_)jwt$|(?:^|_)bearer$|community(?:_string)?$",
    "(?:phpsessid|jsessionid|^sessionid|_sessionid|connect_sid|^sessid|^sid)$",
    "(?:^|_)sig(?:nature)?$",
    "_keys?$",
  ].join("|"),
);
const CODE =
  /(?:^|_)(?:otp|totp|pin|passcode|cvv|cvc|tan)$|(?:^|_)(?:verification|mfa|2fa|security|auth|authentication|recovery|backup|one_time|sms|login|confirmation|otp|access|two_factor|unlock|activation|door|gate)_(?:pass)?(?:code|pin)s?$/;
/** Names that end like the name of a secret but are harmless. */
const HARMLESS =
  /(?:^|_)(?:next|page|paging|continuation|cancell?ation|eos|bos|pad|unk|mask|sep|cls|stop|first|last|start|end|sync|special|per|of|each|prev|previous|unexpected|line|new|no)_tokens?$|(?:^|_)(?:primary|foreign|cache|partition|sort|public|idempotency|routing|group|row|hash|range|i18n|translation|index|map|object|dict|lookup|hot|shift|enter|arrow|unique|composite|s3|redis|registry|config|react|item|list|tab|data|query|search|cluster|message|event|state|field|column|label|locale|job|task|case|blob|sub|super|dedupe|dedup|match|order|issue|project|any|pressed|host)_keys?$/;
/** Suffixes that do not change what a name means. */
const SUFFIX =
  /_(?:value|plain|plaintext|text|b64|base64|raw|new|old|current|prev|previous|confirm|confirmation|hash|base|prod|production|dev|test|staging|live|hint|override|provided|v?\d{1,3})$/;
const COUNTED = /tokens$/;
const COUNTED_NOT = /(?:auth|access|refresh|api|session|bearer|security|secret|device|push|bot|csrf)_?tokens$/;

/** Last 3 letters of every name above: a prefilter that skips most names in a text. */
const ENDINGS = [
  ..."ord rds swd wds wrd pwd pds ase ses ret ets key eys ken ens ial als red eds uth ass psk jwt rer ity ing sid tag".split(
    " ",
  ),
  ..."otp pin ode des nid cvv cvc tan ion sig ure kie ies ata bpw dpw tpw rpw npw ppw _pw -pw ave ssw _id".split(" "),
  ..."lue ain ext b64 e64 raw new old ent rev ous irm ash rod dev est ive int ide ded".split(" "),
];
const FOREIGN_ENDINGS: ReadonlySet<string> = new Set(FOREIGN.map((word) => word.slice(-2)));
/** Bitmap over 5 bits of each letter. The few collisions are rejected by the patterns. */
const ENDING_BITS = new Uint8Array(1 << 15);
for (const ending of [...ENDINGS, ...FOREIGN.map((word) => word.slice(-3).replace("_", " "))])
  ENDING_BITS[endingBits(ending, 3)] = 1;

function endingBits(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) | ((text.charCodeAt(end - 2) & 31) << 5) | (text.charCodeAt(end - 1) & 31)
  );
}

/** Prefilter on the end of a lower-case name: false if it cannot name a secret. */
export function mayNameSecret(lower: string, end: number): boolean {
  let last = end;
  while (last > 0 && isDigit(lower.charCodeAt(last - 1))) last -= 1;
  if (last < end && last > 0 && isSeparator(lower.charCodeAt(last - 1))) last -= 1;
  if (ENDING_BITS[endingBits(lower, last)] === 1) return true;
  if (lower.charCodeAt(last - 1) > MAX_ASCII) return FOREIGN_ENDINGS.has(lower.slice(Math.max(0, last - 2), last));
  // `pw` alone; suffixes such as `b64` end with digits.
  return (last < end && end - last === 2) || lower.slice(Math.max(0, last - 3), last).replace(/^[^a-z]/, "") === "pw";
}

function isSeparator(code: number): boolean {
  return code === UNDERSCORE || code === DASH || code === SPACE;
}

/** Cache: the same few names repeat within a text. */
const classCache = new Map<string, NameClass | undefined>();
const MAX_CACHED_NAMES = 1000;

/** Classifies a name: an identifier in any case style, or a label of several words. */
export function classifyName(written: string): NameClass | undefined {
  const cached = classCache.get(written);
  if (cached !== undefined || classCache.has(written)) return cached;
  const found = classOf(written);
  if (classCache.size >= MAX_CACHED_NAMES) classCache.clear();
  if (written.length <= 80) classCache.set(written, found);
  return found;
}

function classOf(written: string): NameClass | undefined {
  if (written.includes("[")) return undefined;
  let name = normalize(written);
  for (let round = 0; round < 2; round += 1) name = name.replace(SUFFIX, "");
  if (/authorization$/.test(name)) return "authorization";
  if (/cookies?$/.test(name)) return "cookie";
  if (HARMLESS.test(name)) return undefined;
  if (STRONG.test(name)) return "strong";
  if (CODE.test(name)) return "code";
  return WEAK.test(name) ? "weak" : undefined;
}

/** A signature is a secret in a URL or a form (`sig=…`); elsewhere it proves authenticity but grants no access. */
export function isSignature(written: string): boolean {
  return /(?:^|[^a-z])sig(?:nature)?$/i.test(written);
}

/** `max_tokens: 4096`, but not `auth_tokens`. */
export function isCount(written: string): boolean {
  const name = normalize(written);
  return COUNTED.test(name) && !COUNTED_NOT.test(name);
}

/** Normalizes `dbPassword`, `DB-PASSWORD` and `db password` to `db_password`. */
function normalize(written: string): string {
  return written
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[\s_.-]+/g, "_")
    .replace(/^_+|_+$/g, "");
}
