// Sentences of services in seven languages: what an API or a server behind a tool says about a failure or a success.
import type { Category, Producer, Row } from "../types.ts";
import { createPicker, fill, hashText, wordsOf } from "../words.ts";

interface Language {
  readonly code: string;
  readonly errors: readonly (readonly [Category, string, string, (readonly Category[])?])[];
  readonly successes: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    code: "de",
    errors: [
      ["not_found", "Datei @missing@ wurde nicht gefunden.", "@missing@"],
      ["permission_denied", "Zugriff verweigert: Sie dürfen @file@ nicht ändern.", "@file@"],
      ["timeout", "Zeitüberschreitung: Der Dienst @host@ hat nicht rechtzeitig geantwortet.", "@host@", ["network"]],
      ["network", "Verbindung zu @host@ fehlgeschlagen: Verbindung abgelehnt", "@host@"],
      ["invalid_arguments", "Ungültige Anfrage: Das Feld „@id@“ fehlt.", "@id@"],
      ["auth", "Anmeldung fehlgeschlagen: Der Schlüssel ist abgelaufen.", "Schlüssel"],
      ["error", "Fehler beim Speichern: @msg@", "@msg@"],
      ["rate_limited", "Zu viele Anfragen. Bitte versuchen Sie es in 30 Sekunden erneut.", "30"],
    ],
    successes: [
      "3 Einträge gespeichert, 0 Fehler.",
      "Keine Treffer für „@id@“.",
      "Fehlerbericht Nr. @big@: geschlossen, Ursache behoben.",
      "Vorgang abgeschlossen. Ein früherer Fehler (@msg@) wurde automatisch behoben.",
    ],
  },
  {
    code: "fr",
    errors: [
      ["not_found", "Le fichier @missing@ est introuvable.", "@missing@"],
      ["permission_denied", "Accès refusé : vous n'avez pas le droit de modifier @file@.", "@file@"],
      ["timeout", "Délai dépassé : @host@ n'a pas répondu à temps.", "@host@", ["network"]],
      ["network", "Impossible de se connecter à @host@ : connexion refusée", "@host@"],
      ["invalid_arguments", "Requête invalide : le champ « @id@ » est obligatoire.", "@id@"],
      ["auth", "Échec de l'authentification : jeton expiré.", "jeton"],
      ["error", "Erreur lors de l'enregistrement : @msg@", "@msg@"],
      ["rate_limited", "Trop de requêtes, réessayez dans 30 secondes.", "30"],
    ],
    successes: [
      "3 éléments enregistrés, 0 erreur.",
      "Aucun résultat pour « @id@ ».",
      "Rapport d'erreur n° @big@ : clos.",
      "Terminé. L'erreur précédente (@msg@) a été corrigée.",
    ],
  },
  {
    code: "es",
    errors: [
      ["not_found", "No se encontró el archivo @missing@.", "@missing@"],
      ["permission_denied", "Permiso denegado: no puede modificar @file@.", "@file@"],
      ["timeout", "Se agotó el tiempo de espera: @host@ no respondió.", "@host@", ["network"]],
      ["network", "No se pudo conectar con @host@: conexión rechazada", "@host@"],
      ["invalid_arguments", "Solicitud no válida: falta el campo «@id@».", "@id@"],
      ["auth", "Error de autenticación: el token ha caducado.", "token"],
      ["error", "Error al guardar: @msg@", "@msg@"],
      ["rate_limited", "Demasiadas solicitudes. Inténtelo de nuevo en 30 segundos.", "30"],
    ],
    successes: [
      "3 elementos guardados, 0 errores.",
      "No hay resultados para «@id@».",
      "Informe de error n.º @big@: cerrado.",
      "Listo. El error anterior (@msg@) se corrigió.",
    ],
  },
  {
    code: "it",
    errors: [
      ["not_found", "Il file @missing@ non è stato trovato.", "@missing@"],
      ["permission_denied", "Permesso negato: impossibile modificare @file@.", "@file@"],
      ["timeout", "Tempo scaduto: @host@ non ha risposto.", "@host@", ["network"]],
      ["network", "Impossibile connettersi a @host@: connessione rifiutata", "@host@"],
      ["invalid_arguments", "Richiesta non valida: manca il campo «@id@».", "@id@"],
      ["auth", "Autenticazione non riuscita: token scaduto.", "token"],
      ["error", "Errore durante il salvataggio: @msg@", "@msg@"],
      ["rate_limited", "Troppe richieste, riprovare tra 30 secondi.", "30"],
    ],
    successes: [
      "3 elementi salvati, 0 errori.",
      "Nessun risultato per «@id@».",
      "Segnalazione di errore n. @big@: chiusa.",
      "Fatto. L'errore precedente (@msg@) è stato risolto.",
    ],
  },
  {
    code: "pt_BR",
    errors: [
      ["not_found", "O arquivo @missing@ não foi encontrado.", "@missing@"],
      ["permission_denied", "Permissão negada: você não pode alterar @file@.", "@file@"],
      ["timeout", "Tempo esgotado: @host@ não respondeu.", "@host@", ["network"]],
      ["network", "Não foi possível conectar a @host@: conexão recusada", "@host@"],
      ["invalid_arguments", 'Requisição inválida: o campo "@id@" é obrigatório.', "@id@"],
      ["auth", "Falha na autenticação: token expirado.", "token"],
      ["error", "Erro ao salvar: @msg@", "@msg@"],
      ["rate_limited", "Muitas requisições. Tente novamente em 30 segundos.", "30"],
    ],
    successes: [
      "3 itens salvos, 0 erros.",
      'Nenhum resultado para "@id@".',
      "Relatório de erro nº @big@: fechado.",
      "Concluído. O erro anterior (@msg@) foi corrigido.",
    ],
  },
  {
    code: "ja",
    errors: [
      ["not_found", "ファイル @missing@ が見つかりません。", "@missing@"],
      ["permission_denied", "アクセスが拒否されました：@file@ を変更する権限がありません。", "@file@"],
      ["timeout", "タイムアウトしました：@host@ から応答がありません。", "@host@", ["network"]],
      ["network", "@host@ に接続できませんでした：接続が拒否されました", "@host@"],
      ["invalid_arguments", "リクエストが無効です：項目「@id@」は必須です。", "@id@"],
      ["auth", "認証に失敗しました：トークンの有効期限が切れています。", "トークン"],
      ["error", "保存中にエラーが発生しました：@msg@", "@msg@"],
      ["rate_limited", "リクエストが多すぎます。30 秒後に再試行してください。", "30"],
    ],
    successes: [
      "3 件を保存しました。エラーは 0 件です。",
      "「@id@」の検索結果はありません。",
      "エラー報告 @big@：解決済み。",
      "完了しました。前回のエラー（@msg@）は修正されました。",
    ],
  },
  {
    code: "ru",
    errors: [
      ["not_found", "Файл @missing@ не найден.", "@missing@"],
      ["permission_denied", "Доступ запрещён: нельзя изменить @file@.", "@file@"],
      ["timeout", "Превышено время ожидания: @host@ не ответил.", "@host@", ["network"]],
      ["network", "Не удалось подключиться к @host@: в соединении отказано", "@host@"],
      ["invalid_arguments", "Неверный запрос: не указано поле «@id@».", "@id@"],
      ["auth", "Ошибка входа: срок действия токена истёк.", "токена"],
      ["error", "Ошибка при сохранении: @msg@", "@msg@"],
      ["rate_limited", "Слишком много запросов. Повторите через 30 секунд.", "30"],
    ],
    successes: [
      "Сохранено записей: 3, ошибок: 0.",
      "По запросу «@id@» ничего не найдено.",
      "Отчёт об ошибке № @big@: закрыт.",
      "Готово. Предыдущая ошибка (@msg@) исправлена.",
    ],
  },
];

const FAIL_SHAPES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ error: text }),
  (text) => JSON.stringify({ status: "error", message: text }),
];
const DONE_SHAPES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ error: null, message: text }),
  (text) => JSON.stringify({ status: "ok", message: text }),
];

async function produce(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { code, errors, successes } of LANGUAGES) {
    const entries = [...errors, ...successes.map((text) => [null, text, "", undefined] as const)];
    for (const [n, [category, template, fact, also]] of entries.entries())
      for (let k = 0; k < 2; k++) {
        const seed = (hashText(code) % 9000) + n * 11 + k;
        const words = wordsOf(seed);
        const text = fill(template, words);
        const shape = createPicker(seed)(category === null ? DONE_SHAPES : FAIL_SHAPES);
        rows.push({
          ...{
            id: `sentences/${code}/${n}/${seed}`,
            family: "sentences",
            program: "service",
            breakage: `${category ?? "success"}-${n}`,
          },
          ...{
            language: code,
            tool_name: fill(createPicker(seed)(["save_@stem@", "get_@stem@", "@stem@_api"]), words),
            arguments: { id: words.big },
          },
          ...{ content: shape(text), status_shown: "hidden", status_style: "none", exit_code: null },
          ...{ label: category === null ? "ok" : "error", category, also: also ?? [], fact: fill(fact, words) },
          ...{ soft: false, convention: null, seed },
        });
      }
  }
  return rows;
}

export const SENTENCES: Producer = { name: "sentences", version: "1", produce };
