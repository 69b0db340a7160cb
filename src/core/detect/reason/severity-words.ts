/** Words that label a message as an error, as programs print them before a colon, in 14 languages. */
export const LABELS: ReadonlySet<string> = new Set(
  `error|errors|err|fatal|fatal error|internal error|runtime error|syntax error|parse error|parser error|thrown|critical|crit|emerg|alert|severe|panic|abort|failure|failed|exception|uncaught exception|unhandled exception
  error from server|error response from daemon|toomanyrequests|unauthorized|denied|usage error|validation error|type error|compile error|build error|e|fehler|schwerer fehler|schwerwiegender fehler|schwerwiegend|fataler fehler|interner fehler|syntaxfehler|erreur|erreur fatale|fatale|erreur interne|erreur de syntaxe
  error fatal|error grave|error interno|error de sintaxis|errore|errore fatale|errore grave|errore di sintassi|erro|erro fatal|erro de sintaxe|erro interno|ошибка|фатальная ошибка|критическая ошибка|неустранимая ошибка|синтаксическая ошибка|сбой
  エラー|致命的エラー|致命的なエラー|重大|構文エラー|错误|致命错误|语法错误|严重错误|錯誤|오류|치명적 오류|치명적인 오류|błąd|krytyczny błąd|błąd krytyczny|fout|fatale fout|fel|hata|chyba|помилка|lỗi`
    .split(/[|\n]/)
    .map((word) => word.trim()),
);

/** Words that label a message as something less. */
const LESSER: ReadonlySet<string> = new Set(
  `warning|warn|note|notes|info|information|hint|help|debug|trace|remark|notice|verbose|tip|suggestion|warnung|anmerkung|hinweis|information|avertissement|attention|remarque|note|indication|advertencia|aviso|nota|avviso|attenzione|nota|предупреждение|замечание|подсказка|警告|備考|备注|附注|ヒント|提示|경고|참고|ostrzeżenie|uwaga|waarschuwing|summary|ayuda|dica|suggerimento|conseil|astuce|aide|usage|atención|achtung|atenção`.split(
    "|",
  ),
);

/** The first word of a usage text, in the languages of common programs. */
export const USAGE_LABELS: ReadonlySet<string> = new Set(
  "usage|aufruf|verwendung|benutzung|gebrauch|utilisation|syntaxe|uso|modo de empleo|использование|使い方|使用法|用法|사용법|użycie|składnia|gebruik".split(
    "|",
  ),
);

/** An exception's name before a colon. */
export const EXCEPTION = /^(?:[\w$]{1,40}[.:]{1,2}){0,6}[A-Z][\w$]{0,60}(?:Error|Exception|Fault)(?: \[\w+\])?:\s/;

/** Longest label in characters; longer text before a colon is a sentence. */
const MAX_LABEL = 32;

/** The label before the first colon of a line, its meaning, and where the message begins. */
export interface Label {
  readonly sense: "error" | "lesser" | "other";
  readonly word: string;
  readonly end: number;
}

/** Reads a label such as `error:`, `erreur :`, `错误：`, `error[E0308]:`, `ERROR 1064 (42000):` or `[ERROR]`. */
export function labelAt(line: string, from: number): Label | undefined {
  let at = from;
  if (line.charCodeAt(at) === 91) {
    // [ERROR] message
    const close = line.indexOf("]", at);
    if (close === -1 || close - at > 14) {
      return undefined;
    }
    const word = line
      .slice(at + 1, close)
      .trim()
      .toLowerCase();
    const sense = senseOf(word);
    const next = line.charCodeAt(close + 1) === 58 ? close + 2 : close + 1;
    return sense === "other" ? undefined : { sense, word, end: next };
  }
  const limit = Math.min(line.length, from + MAX_LABEL + 24);
  while (at < limit) {
    const code = line.charCodeAt(at);
    const isScope = code === 58 && line.charCodeAt(at + 1) === 58;
    if ((code === 58 && !isScope) || code === 0xff1a) {
      break;
    }
    // `PG::NotNullViolation: ERROR: …`
    at += isScope ? 2 : 1;
  }
  if (at >= limit) {
    return undefined;
  }
  const word = bareWord(line.slice(from, at));
  return word.length > MAX_LABEL ? undefined : { sense: senseOf(word), word, end: at + 1 };
}

/** Removes codes from a label: `error[E0308]`, `error TS2304`, `ERROR 1064 (42000)`, `fatal error C1083`. */
function bareWord(label: string): string {
  const cut = label.search(/\s?[[(]|\s(?:[A-Z]{1,4})?\d+(?=\s?(?:[[(]|$))/);
  return (cut === -1 ? label : label.slice(0, cut)).trim().toLowerCase();
}

function senseOf(word: string): Label["sense"] {
  return LABELS.has(word) ? "error" : LESSER.has(word) ? "lesser" : "other";
}
