/**
 * What words of several languages have in common: a model that has seen "not created" in one of them knows it in the
 * others. The lists name no outcome; what each idea says about a result, alone and beside another, is learned.
 */
const IDEAS: readonly (readonly [string, string])[] = [
  [
    "negation",
    `no not nothing none never neither nor nobody nowhere without isn wasn aren weren doesn didn don won wouldn hasn haven hadn
  nicht kein keine keinen keinem keiner keines nichts niemand nie ohne ne pas aucun aucune rien jamais personne sans
  nada ningún ninguno ninguna nunca nadie sin não nenhum nenhuma ninguém sem non nessun nessuno nessuna niente mai senza
  niet geen niets niemand zonder nie żaden żadna nic bez brak не нет ни никто ничего без yok değil hiçbir
  不 没 未 无 無 非 未 안 못 없 않`,
  ],
  [
    "inability",
    `cannot can can't couldn couldnt unable impossible fail fails failed failure failing unsuccessful unsuccessfully
  kann konnte konnten können unmöglich fehlgeschlagen gescheitert impossible échec échoué peut puede pueden pudo imposible falló
  fallido pode podem falhou falha impossível può impossibile fallito riuscita riuscito kan kon mislukt można udało
  нельзя невозможно удалось başarısız edilemedi olmadı 失败 失敗 无法 無法 不能 でき 실패`,
  ],
  [
    "limit",
    `exceed exceeds exceeded exceeding above below beyond over under too maximum minimum max min limit limits limited most least only
  greater less fewer larger smaller longer shorter outside past than quota capacity
  überschreitet überschritten höchstens mindestens zu nur dépasse dépassé trop maximum limite supera superado excede demasiado máximo
  mínimo solo apenas massimo minimo troppo te meer przekracza zbyt превышает слишком только 超过 超出 超過 上限 最多 초과`,
  ],
  [
    "obstacle",
    `closed locked expired disabled unavailable occupied taken busy already duplicate blocked denied rejected declined refused
  forbidden missing invalid unknown unrecognized unsupported unexpected wrong bad malformed incomplete full suspended inactive
  offline unreachable exhausted insufficient restricted reserved conflict conflicts stopped killed aborted interrupted crashed
  broken corrupt lost halted unauthorized unauthenticated mismatch unresolved revoked down outage overloaded overwhelmed jammed
  stuck stalled frozen hung dead unresponsive degraded saturated depleted dropped slipped collided obstructed tripped overheated
  misaligned detached unplugged disconnected failing lapsed withdrawn barred banned ineligible
  geschlossen gesperrt abgelaufen deaktiviert belegt besetzt bereits abgelehnt verweigert fehlt fehlen ungültig unbekannt
  fermé fermée verrouillé expiré expirée désactivé indisponible occupé déjà refusé refusée manque invalide inconnu introuvable
  cerrado cerrada bloqueado caducado desactivado ocupado ya rechazado rechazada falta faltan inválido inválida desconocido
  fechado expirado indisponível recusado recusada já falta chiuso bloccato scaduto scaduta rifiutato già manca sconosciuto
  gesloten verlopen geweigerd al ontbreekt zamknięty wygasł odrzucono już
  закрыт отказано отклонено уже истёк истек kapalı reddedildi 已经 不足 过期 拒绝 期限`,
  ],
  [
    "demand",
    `must require requires required need needs needed should please first before until unless muss müssen benötigt erforderlich bitte
  doit nécessaire requis veuillez debe deben necesita requiere deve necessário richiesto necessario moet musi wymagane
  нужно требуется должен gerekli 请 請 必须 必要 필요`,
  ],
  [
    "done",
    `created added updated deleted removed sent saved completed complete done successful successfully success confirmed placed
  scheduled moved started restarted deployed posted uploaded installed applied enabled activated recorded stored purchased
  refunded bought sold paid changed modified assigned renamed merged published shared registered booked reserved wrote written
  set finished copied replaced archived closed opened approved granted delivered transferred cancelled canceled linked
  erstellt angelegt gespeichert gelöscht gesendet aktualisiert gebucht hinzugefügt geändert erfolgreich abgeschlossen
  créé créée ajouté enregistré supprimé envoyé envoyée effectué effectuée succès terminé creado creada añadido actualizado
  eliminado enviado enviada guardado realizado realizada realizó éxito criado criada adicionado atualizado excluído salvo
  efetuada sucesso concluído creato creata aggiunto aggiornato eliminato inviato salvato effettuata completato successo
  aangemaakt verzonden opgeslagen verwijderd bijgewerkt gelukt utworzono dodano wysłano zapisano usunięto
  создан создана добавлен обновлено удалено отправлено сохранено успешно выполнено выполнен
  oluşturuldu gönderildi kaydedildi silindi 成功 完成 完了 已创 완료 성공`,
  ],
  [
    "regret",
    `sorry unfortunately apologies apologize oops regret leider bedauerlicherweise malheureusement désolé lamentablemente siento
  desculpe infelizmente purtroppo spiacenti helaas niestety извините сожалению maalesef 抱歉 对不 申し 죄송`,
  ],
  [
    "again",
    `again later retry try erneut später versuchen réessayer plus nouveau inténtelo intente nuevo tente novamente riprovare riprova
  opnieuw ponownie позже снова tekrar 稍后 重试 もう 다시`,
  ],
  [
    "pending",
    `queued queue pending accepted progress processing running submitted waiting background shortly soon polling eta
  wartet gestartet cours attente curso espera andamento corso wachtrij kolejce очереди 中 排队`,
  ],
  ["speaker", "i we my our ich wir je nous yo eu io ik ja я 我"],
];

/** Ideas of words by the hash of the word. */
const BY_HASH = new Map<number, number>();
const FILTER_BITS = 13;
const FILTER = new Uint8Array(1 << FILTER_BITS);

/** An English word in this form that no list has. */
export const PARTICIPLE = IDEAS.length + 1;

/** Ideas as bits: what was not done for any of these reasons, and what else tells how a call ended. */
const DENIALS = bitsOf("negation inability limit obstacle");
const OUTCOMES = bitsOf("demand done regret pending") | (1 << PARTICIPLE);

function bitsOf(names: string): number {
  const wanted = names.split(" ");
  return IDEAS.reduce((bits, [name], index) => (wanted.includes(name) ? bits | (1 << (index + 1)) : bits), 0);
}

/** How the ideas of a text, given as bits, say that a call ended: their absence counts too. */
export function outcomeOf(ideas: number): number {
  return (ideas & OUTCOMES) | ((ideas & DENIALS) === 0 ? 0 : 1);
}

export function registerIdeas(hashOfWord: (word: string) => number): void {
  for (const [index, [, list]] of IDEAS.entries()) {
    for (const word of list.split(/\s+/)) {
      const hash = hashOfWord(word);
      if (!BY_HASH.has(hash)) {
        BY_HASH.set(hash, index + 1);
        FILTER[hash & (FILTER.length - 1)] = 1;
      }
    }
  }
}

/** The idea of the word with this hash, or 0. */
export function ideaOf(hash: number): number {
  return FILTER[hash & (FILTER.length - 1)] === 1 ? (BY_HASH.get(hash) ?? 0) : 0;
}
