/**
 * What words of several languages have in common: a model that has seen "not created" in one of them knows it in the
 * others. The lists name no outcome; what each idea says about a result, alone and beside another, is learned.
 */
const CONCEPTS: readonly string[] = [
  // Negations.
  `no not nothing none never neither nor nobody nowhere without isn wasn aren weren doesn didn don won wouldn hasn haven hadn
  nicht kein keine keinen keinem keiner keines nichts niemand nie ohne ne pas aucun aucune rien jamais personne sans
  nada ning\u00fan ninguno ninguna nunca nadie sin n\u00e3o nenhum nenhuma ningu\u00e9m sem non nessun nessuno nessuna niente mai senza
  niet geen niets niemand zonder nie \u017caden \u017cadna nic bez brak \u043d\u0435 \u043d\u0435\u0442 \u043d\u0438 \u043d\u0438\u043a\u0442\u043e \u043d\u0438\u0447\u0435\u0433\u043e \u0431\u0435\u0437 yok de\u011fil hi\u00e7bir
  \u4e0d \u6ca1 \u672a \u65e0 \u7121 \u975e \u672a \uc548 \ubabb \uc5c6 \uc54a`,
  // What could not be done.
  `cannot can can't couldn couldnt unable impossible fail fails failed failure failing unsuccessful unsuccessfully
  kann konnte konnten k\u00f6nnen unm\u00f6glich fehlgeschlagen gescheitert impossible \u00e9chec \u00e9chou\u00e9 peut puede pueden pudo imposible fall\u00f3
  fallido pode podem falhou falha imposs\u00edvel pu\u00f2 impossibile fallito riuscita riuscito kan kon mislukt mo\u017cna uda\u0142o
  \u043d\u0435\u043b\u044c\u0437\u044f \u043d\u0435\u0432\u043e\u0437\u043c\u043e\u0436\u043d\u043e \u0443\u0434\u0430\u043b\u043e\u0441\u044c ba\u015far\u0131s\u0131z edilemedi olmad\u0131 \u5931\u8d25 \u5931\u6557 \u65e0\u6cd5 \u7121\u6cd5 \u4e0d\u80fd \u3067\u304d \uc2e4\ud328`,
  // Limits.
  `exceed exceeds exceeded exceeding above below beyond over under too maximum minimum max min limit limits limited most least only
  greater less fewer larger smaller longer shorter outside past than quota capacity
  \u00fcberschreitet \u00fcberschritten h\u00f6chstens mindestens zu nur d\u00e9passe d\u00e9pass\u00e9 trop maximum limite supera superado excede demasiado m\u00e1ximo
  m\u00ednimo solo apenas massimo minimo troppo te meer przekracza zbyt \u043f\u0440\u0435\u0432\u044b\u0448\u0430\u0435\u0442 \u0441\u043b\u0438\u0448\u043a\u043e\u043c \u0442\u043e\u043b\u044c\u043a\u043e \u8d85\u8fc7 \u8d85\u51fa \u8d85\u904e \u4e0a\u9650 \u6700\u591a \ucd08\uacfc`,
  // States that stand in the way.
  `closed locked expired disabled unavailable occupied taken busy already duplicate blocked denied rejected declined refused
  forbidden missing invalid unknown unrecognized unsupported unexpected wrong bad malformed incomplete full suspended inactive
  offline unreachable exhausted insufficient restricted reserved conflict conflicts stopped killed aborted interrupted crashed
  broken corrupt lost halted unauthorized unauthenticated mismatch unresolved revoked
  geschlossen gesperrt abgelaufen deaktiviert belegt besetzt bereits abgelehnt verweigert fehlt fehlen ung\u00fcltig unbekannt
  ferm\u00e9 ferm\u00e9e verrouill\u00e9 expir\u00e9 expir\u00e9e d\u00e9sactiv\u00e9 indisponible occup\u00e9 d\u00e9j\u00e0 refus\u00e9 refus\u00e9e manque invalide inconnu introuvable
  cerrado cerrada bloqueado caducado desactivado ocupado ya rechazado rechazada falta faltan inv\u00e1lido inv\u00e1lida desconocido
  fechado expirado indispon\u00edvel recusado recusada j\u00e1 falta chiuso bloccato scaduto scaduta rifiutato gi\u00e0 manca sconosciuto
  gesloten verlopen geweigerd al ontbreekt zamkni\u0119ty wygas\u0142 odrzucono ju\u017c
  \u0437\u0430\u043a\u0440\u044b\u0442 \u043e\u0442\u043a\u0430\u0437\u0430\u043d\u043e \u043e\u0442\u043a\u043b\u043e\u043d\u0435\u043d\u043e \u0443\u0436\u0435 \u0438\u0441\u0442\u0451\u043a \u0438\u0441\u0442\u0435\u043a kapal\u0131 reddedildi \u5df2\u7ecf \u4e0d\u8db3 \u8fc7\u671f \u62d2\u7edd \u671f\u9650`,
  // Demands.
  `must require requires required need needs needed should please first before until unless muss m\u00fcssen ben\u00f6tigt erforderlich bitte
  doit n\u00e9cessaire requis veuillez debe deben necesita requiere deve necess\u00e1rio richiesto necessario moet musi wymagane
  \u043d\u0443\u0436\u043d\u043e \u0442\u0440\u0435\u0431\u0443\u0435\u0442\u0441\u044f \u0434\u043e\u043b\u0436\u0435\u043d gerekli \u8bf7 \u8acb \u5fc5\u987b \u5fc5\u8981 \ud544\uc694`,
  // What was done.
  `created added updated deleted removed sent saved completed complete done successful successfully success confirmed placed
  scheduled moved started restarted deployed posted uploaded installed applied enabled activated recorded stored purchased
  refunded bought sold paid changed modified assigned renamed merged published shared registered booked reserved wrote written
  set finished copied replaced archived closed opened approved granted delivered transferred cancelled canceled linked
  erstellt angelegt gespeichert gel\u00f6scht gesendet aktualisiert gebucht hinzugef\u00fcgt ge\u00e4ndert erfolgreich abgeschlossen
  cr\u00e9\u00e9 cr\u00e9\u00e9e ajout\u00e9 enregistr\u00e9 supprim\u00e9 envoy\u00e9 envoy\u00e9e effectu\u00e9 effectu\u00e9e succ\u00e8s termin\u00e9 creado creada a\u00f1adido actualizado
  eliminado enviado enviada guardado realizado realizada realiz\u00f3 \u00e9xito criado criada adicionado atualizado exclu\u00eddo salvo
  efetuada sucesso conclu\u00eddo creato creata aggiunto aggiornato eliminato inviato salvato effettuata completato successo
  aangemaakt verzonden opgeslagen verwijderd bijgewerkt gelukt utworzono dodano wys\u0142ano zapisano usuni\u0119to
  \u0441\u043e\u0437\u0434\u0430\u043d \u0441\u043e\u0437\u0434\u0430\u043d\u0430 \u0434\u043e\u0431\u0430\u0432\u043b\u0435\u043d \u043e\u0431\u043d\u043e\u0432\u043b\u0435\u043d\u043e \u0443\u0434\u0430\u043b\u0435\u043d\u043e \u043e\u0442\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e \u0441\u043e\u0445\u0440\u0430\u043d\u0435\u043d\u043e \u0443\u0441\u043f\u0435\u0448\u043d\u043e \u0432\u044b\u043f\u043e\u043b\u043d\u0435\u043d\u043e \u0432\u044b\u043f\u043e\u043b\u043d\u0435\u043d
  olu\u015fturuldu g\u00f6nderildi kaydedildi silindi \u6210\u529f \u5b8c\u6210 \u5b8c\u4e86 \u5df2\u521b \uc644\ub8cc \uc131\uacf5`,
  // Regret.
  `sorry unfortunately apologies apologize oops regret leider bedauerlicherweise malheureusement d\u00e9sol\u00e9 lamentablemente siento
  desculpe infelizmente purtroppo spiacenti helaas niestety \u0438\u0437\u0432\u0438\u043d\u0438\u0442\u0435 \u0441\u043e\u0436\u0430\u043b\u0435\u043d\u0438\u044e maalesef \u62b1\u6b49 \u5bf9\u4e0d \u7533\u3057 \uc8c4\uc1a1`,
  // Another try.
  `again later retry try erneut sp\u00e4ter versuchen r\u00e9essayer plus nouveau int\u00e9ntelo intente nuevo tente novamente riprovare riprova
  opnieuw ponownie \u043f\u043e\u0437\u0436\u0435 \u0441\u043d\u043e\u0432\u0430 tekrar \u7a0d\u540e \u91cd\u8bd5 \u3082\u3046 \ub2e4\uc2dc`,
  // What is still to come.
  `queued queue pending accepted progress processing running submitted waiting background shortly soon polling eta
  wartet gestartet cours attente curso espera andamento corso wachtrij kolejce \u043e\u0447\u0435\u0440\u0435\u0434\u0438 \u4e2d \u6392\u961f`,
  // The speaker.
  "i we my our ich wir je nous yo eu io ik ja \u044f \u6211",
];

/** Ideas of words by the hash of the word. */
const BY_HASH = new Map<number, number>();
const FILTER_BITS = 13;
const FILTER = new Uint8Array(1 << FILTER_BITS);

/** An English word in this form that no list has. */
export const PARTICIPLE = CONCEPTS.length + 1;

export function registerConcepts(hashOfWord: (word: string) => number): void {
  for (const [index, list] of CONCEPTS.entries()) {
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
export function conceptOf(hash: number): number {
  return FILTER[hash & (FILTER.length - 1)] === 1 ? (BY_HASH.get(hash) ?? 0) : 0;
}
