import type { Category } from "../../model/outcome.ts";
import { createSignal, type Signal } from "../signal.ts";

/** Error messages in other languages, one pattern per category, specific ones first. */
export const OTHER_LANGUAGES: readonly (readonly [Category, RegExp])[] = [
  [
    "timeout",
    /zeitüberschreitung|zeitlimit|délai (?:d'attente )?(?:dépassé|expiré)|tiempo de espera|tempo (?:limite )?esgotado|tempo scaduto|время ожидания|тайм-?аут|超时|逾時|タイムアウト|시간 ?초과/i,
  ],
  [
    "permission_denied",
    /nicht (?:erlaubt|gestattet|zulässig)|pas (?:autorisé|permis|le droit)|no (?:está|tiene|estás|tienes) (?:permitid|autorizad|permiso)|não (?:tem permissão|autorizad|é permitid)|не (?:имеете|разрешен|допускается)|不允许|無法存取|禁止|没有访问|許可されていません|zugriff (?:verweigert|abgelehnt)|keine berechtigung|nicht berechtigt|accès (?:refusé|interdit)|permission (?:non accordée|refusée)|acceso denegado|permiso denegado|acesso negado|permissão negada|accesso negato|permesso negato|отказано|запрещ|недостаточно прав|权限不足|没有权限|無權限|拒绝访问|アクセスが?拒否|権限があ?り?ま?せん|권한이? 없|거부/i,
  ],
  [
    "auth",
    /nicht angemeldet|anmeldung fehlgeschlagen|non authentifié|no autenticado|não autenticado|не авторизован|未登录|未授权|認証に?失敗|로그인이? 필요/i,
  ],
  [
    "not_found",
    /nicht (?:gefunden|vorhanden)|existiert nicht|introuvable|aucun fichier ou dossier|n'existe pas|no (?:se )?(?:encontró|encontrad[oa])|no existe|não (?:encontrad[oa]|existe)|non (?:trovat[oa]|esiste)|niet gevonden|nie znaleziono|не найден|нет такого|не существует|不存在|未找到|找不到|見つかりません|存在しません|찾을 수 없|존재하지 않/i,
  ],
  [
    "invalid_arguments",
    /ungültig|nicht gültig|pas valide|pas (?:un|une) \p{L}+ valide|no (?:es|son) válid|não (?:é|são) válid|inválid|некоррект|不正确|不合法|有误|格式错误|缺少|不匹配|正しくありません|不正な|invalide\b|non valide|inválid[oa]|no válid[oa]|non valid[oa]|неверн|недопустим|参数错误|缺少参数|无效|無効|잘못된|유효하지/iu,
  ],
  [
    "error",
    /fehlgeschlagen|konnte[n]? [^\n]{0,60}nicht|kann [^\n]{0,60}nicht|nicht möglich|échec|échoué|impossible d['e]|\bfall[oó]\b|no se pudo|no es posible|\berror al\b|falh(?:a|ou)\b|não foi possível|impossibile|fallit[oa]\b|mislukt|\bbłąd|nie można|ошибка|не удалось|невозможно|错误|錯誤|失败|失敗|无法|異常|异常|エラー|できません|오류|실패|\b(?:fehler|erreur|erro|errore)\b(?=\s*(?:[:!.(]|$|\d{1,5}[:.)]|aufgetreten|bei|s'est|lors|survenue|interne?\b|ao\b|n[ao]\b|al\b|inesperad|durante|nel|sconosciut|inconnue|desconhecid))|\b(?:eine?|une|um|uno?|interner|unbekannter|unerwarteter) (?:\w+ )?(?:fehler|erreur|erro|errore)\b/i,
  ],
];

/** Negations: a valid result of a read-only tool, but a refusal of a mutating one. */
const DENIED =
  /leider (?:nicht|kein)|\bkeine?n? [^\n.]{1,40} (?:mehr )?(?:frei|verfügbar|möglich)|nicht (?:verfügbar|unterstützt|bereit|ausreichend|genügend)|\bn['e] ?\p{L}{1,12} (?:pas|plus|jamais)\b|no (?:está|es|hay|puede|pueden|fue|se puede|ha sido|tiene) \p{L}|ya (?:no|ha sido|está|fue) |não (?:pode|foi|está|é|há|tem|consegui) ?\p{L}|non (?:è|può|sono|disponibile)|не (?:может|могут|прош|выполнен|доступ|поддерж|хватает|получ|отправ|был|принят)|недостаточно|недоступ|нельзя|истек|不足|未成功|未能|不可用|不支持|不能|已过期|已售罄|请重新|稍后再试|稍后重试|ませんでした|満席|期限切れ|不足して/iu;

/** The same words without a failure: "no errors", "no results", "it worked". */
const HARMLESS =
  /\d+ (?:treffer|ergebnisse|résultats?|resultados?|risultat[io])|(?:keine?n?|ohne|0) (?:fehler|ergebnisse|treffer)|(?:aucun[e]?|sans) (?:erreur|résultat)|(?:sin|ningún|no se encontraron) (?:error|resultado)|(?:sem|nenhum) (?:erro|resultado)|nessun|без ошибок|ничего не|успешно|erfolgreich|avec succès|con éxito|com sucesso|con successo|没有(?:错误|找到)|无错误|(?<![未不])成功|完了しました|已完成|エラーは?(?:なし|ありません)|成功しました|오류 없/i;

/** Longer results are data, and so are lists. */
const LENGTH = 200;

const ANY_LETTER =
  /[À-ɏͰ-￿]|\b(?:fehler|erreur|erro|errore|error al|nicht|keine|impossible d|impossibile|introuvable|zugriff|acceso|acesso|accesso|no se|no existe|pas|bitte|n'\w+|no (?:es|est[aá]|hay|fue|puede)|ya no|n[aã]o|niet|mislukt|fall[oi]|falha)\b/i;

/** Finds a failure in a language other than English if the message is the whole result. Read-only tools may negate. */
export function findLocalizedError(answer: string, at: number, mayDeny: boolean): Signal | undefined {
  if (answer.length > LENGTH || answer.includes("\n") || !ANY_LETTER.test(answer) || HARMLESS.test(answer)) {
    return undefined;
  }
  const category = otherLanguageCategory(answer) ?? (mayDeny && DENIED.test(answer) ? "error" : undefined);
  return category === undefined
    ? undefined
    : createSignal(
        "failure",
        "sentence-other-language",
        at,
        answer,
        0.72,
        category === "error" ? undefined : { category },
      );
}

/** Returns the category of a localized error. */
export function otherLanguageCategory(words: string): Category | undefined {
  return OTHER_LANGUAGES.find(([, pattern]) => pattern.test(words))?.[0];
}
