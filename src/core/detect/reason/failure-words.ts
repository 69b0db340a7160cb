/** Stems of words that occur in reports of failures. Compared by their first 6 letters. */
export const FAILURE_STEMS: readonly string[] =
  "error errors errored fail fails failed failure failing fatal denied refused cannot unable invalid missing unknown unexpected exception conflict reject abort aborts aborted abortando abortado panic panicked undefined unsupported forbidden unauthorized assert fehler erreur impossible errore erro pudo pudieron podido incorrecto incorrecta caducado agotado prohibido fallo falla falta faltan fallido fallida fallado imposible denegado denegada desconocido inesperado inesperada incapaz conflicto rechazado rechazada manquant inconnu inattendu introuvable fehlgeschlagen konnte unbekannt fehlt gescheitert unerwartet verweigert fallito fallita sconosciuto mancante manca negato falha falhou desconhecido faltando negado negada recusada".split(
    " ",
  );

/** Words that mean a failure only together with others; in any line of a report they count. */
export const DENIAL_WORDS: readonly string[] = "not could nicht".split(" ");

/** Words of reports in compounds, and in languages whose words are not compared by letters. Lower case. */
export const FOREIGN_FAILURES: readonly string[] =
  "fehler|não|ошиб|не уда|не най|нет |エラー|できません|ありません|错误|失败|无法|不存在|오류|실패|없".split("|");
