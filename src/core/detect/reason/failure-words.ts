/** Stems of words that occur in reports of failures. Compared by their first 6 letters. */
export const FAILURE_STEMS: readonly string[] =
  "error errors errored fail fails failed failure failing fatal denied refused cannot unable invalid missing unknown unexpected exception conflict reject abort aborts aborted abortando abortado panic panicked undefined unsupported forbidden unauthorized unsatisfied unsatisfiable unreachable unresolved unrecognized unexpectedly unavailable corrupt corrupted incompatible insufficient mismatch malformed assert fehler erreur impossible errore erro pudo pudieron podido incorrecto incorrecta caducado agotado prohibido fallo falla falta faltan fallido fallida fallado imposible denegado denegada desconocido inesperado inesperada incapaz conflicto rechazado rechazada manquant inconnu inattendu introuvable fehlgeschlagen konnte unbekannt fehlt gescheitert unerwartet verweigert fallito fallita sconosciuto mancante manca negato falha falhou desconhecido faltando negado negada recusada".split(
    " ",
  );

/** Words that mean a failure only together with others; in any line of a report they count. */
export const DENIAL_WORDS: readonly string[] = "not could nicht".split(" ");

/** Words of reports in compounds, and in languages whose words are not compared by letters. Lower case. */
export const FOREIGN_FAILURES: readonly string[] =
  "fehler|kann nicht|konnte|können nicht|ungültig|unbekannt|nicht gefunden|nicht möglich|schlug fehl|no se pud|no se pued|no pued|inválid|no válid|falló|fallo al|errón|ne peut|pas pu|invalide|échec|échou|inconnu|impossible d|impossibile|non valid|non riuscit|fallit|non è possibile|non può|não|inválid|falhou|falha ao|impossível|ошиб|не уда|не най|нет |невозможно|неверн|некоррект|недопуст|неизвестн|сбой|нельзя|неожидан|недостаточно|неправильн|отсутств|не могу|не может|не существует|неудач|нераспознан|エラー|できません|出来ません|めません|けません|れません|えません|せません|なりません|見つかりません|不正で|不明で|予期しない|ありません|失敗|無効|不正な|不明な|错误|失败|无法|不存在|无效|未找到|오류|실패|없".split(
    "|",
  );
