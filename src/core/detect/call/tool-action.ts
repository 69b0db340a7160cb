/** Verbs of mutating tools. A mutating tool reports what it did; a read-only tool describes a state. */
const ACTIONS = new Set(
  "accept activate löschen add adjust allocate append apply approve archive assign attach attack authorize bid block borrow book build buy call cancel cast change charge checkout claim clear click clone close collect commit complete configure confirm connect contact convert copy craft create deactivate decline delete deny deliver deploy deposit disable disconnect dismiss dispatch donate download drive drop edit enable enroll enter exchange export equip escalate extend feed fill finish follow give go grab grant hire hold import increase insert install invite issue join kick kill launch leave lend like link load lock login logout make mark merge message mine modify mount move mute navigate open order pause pay pick place plant play post press print promote provision publish purchase push put rebook recharge record redeem refresh refuel reject refund register release remove rename renew reopen reply request reschedule reserve reset resize resolve restart restore resume retweet return revert revoke roll rotate save scale schedule select sell send set share ship sign snooze spawn start step stop submit subscribe suspend swap switch sync take throw tip toggle top trade transfer trigger turn unblock unfollow unlock unsubscribe update upgrade upload use vote walk withdraw write crear criar creare enviar inviare eliminar actualizar reservar prenotare comprar pagar envoyer supprimer reserver senden erstellen anlegen buchen reservieren tag label star pin transferir iniciar cancelar abrir cerrar borrar guardar mover publicar lancer demarrer arreter annuler ajouter modifier payer acheter starten stoppen loeschen speichern bestellen schliessen oeffnen abort abrechnen accensione agendar aggiungi ajustar announce annuleren anuluj apagar appoint apri arm arrêter aspirate attest ausloesen auslösen authorise ayarla aç bake ban başvuru boeken boot bounce brew buche bump burn calibrate cambiar cancella capture carica charger charter chiudi click comprar créer debit defer delegate denylist detach dial disarm dispense dock dodaj drag drill drop drucken déclencher démarrer düzenle einstellen eject ekle encender enlist enqueue enregistrer enrol entsperren erase evict fax fill flush fold forward freeze fuse gift gonder grind gönder halt heat hide hochladen hover ignite imposta imprimer indienen inject inscribir inscripcion install instellen invia invoice iptal kapat kick kirala kündigen lift lower mandar matricular melden merge mint modifica mover mow mute notify nudge oluştur onayla openen otworz otwórz pair park pause pedir permit pin pipette preauth prenota prescribe press print prune przyjecie publish purge quitar raise reboot recall reclaim reconnect redirect redo registra registrar reload remind remit rent reroute reseat reserveren respond retire retry ring régler réserver schließen seed sende settle setzen shut sil sluiten snap solder solicitar speak sperren spin spray squash stack stamp stampa starte stoppe stow strike subir supprimer swipe tap tare tilt tow transmit trim tune turn télécharger undo undock unenroll unfreeze unhide unlink unmute unpair unpin unsubscribe upload ustaw usun vacuum valider verschieben verzenden veto vrijgeven wake warm wash weigh wipe wire wydrukuj wyslij zamknij zapisz zarezerwuj zoom zuweisen ändern öffnen überweisen включить выключить забронировать закрыть записать запись изменить открыть отменить отправить подать создать удалить".split(
    " ",
  ),
);

/** First words of read-only tools: `get_order` does not order. */
const LOOKS = new Set(
  "get list search find check show read view fetch query lookup look describe display status is has can count info inspect calculate compute estimate compare recommend suggest predict track monitor retrieve verify validate test simulate analyze analyse summarize think who what where when which".split(
    " ",
  ),
);

/** Verbs that are also nouns: `order_status` does not order. */
const THINGS = new Set(
  "bid book build call change charge claim contact deposit drive exchange export feed import issue link load lock message mine mount order place play post press print purchase record refund release request return roll scale schedule set share sign step switch tip top trade transfer vote walk".split(
    " ",
  ),
);

/** Words after such a noun that mean a read-only tool: at the end of the name, or anywhere after the noun. */
const STATE_NOUNS = new Set(
  "availability balance config configuration count data detail details distance duration fee fees help history hours id ids info information level limit limits list log logs map metrics name names notes number options policy preview price prices rate rates report result results rules settings size state stats statistics status summary time times type types".split(
    " ",
  ),
);
const READING_VERBS = new Set(
  "check count describe fetch find get inspect list lookup query read retrieve search show view".split(" "),
);

/** The action that a tool's name describes. */
export interface ToolAction {
  /** Stems of its verbs: the letters shared by all forms. */
  readonly stems: readonly string[];
}

/** Cache by name. Cleared when full. */
const known = new Map<string, ToolAction | "looks">();
const KNOWN_LIMIT = 1000;

/** Returns the action of a tool; undefined if it is read-only or unknown. */
export function actionOf(name: string | undefined): ToolAction | undefined {
  if (name === undefined) {
    return undefined;
  }
  let action = known.get(name);
  if (action === undefined) {
    action = readAction(name.slice(0, 200)) ?? "looks";
    if (known.size >= KNOWN_LIMIT) {
      known.clear();
    }
    known.set(name, action);
  }
  return action === "looks" ? undefined : action;
}

function readAction(name: string): ToolAction | undefined {
  const words = wordsOf(name);
  const verbs = words.filter((word) => ACTIONS.has(word));
  const isOfThings = verbs.every((verb) => THINGS.has(verb)) && describesState(words);
  return verbs.length === 0 || LOOKS.has(words[0] ?? "") || isOfThings
    ? undefined
    : { stems: verbs.map((verb) => verb.replace(/(?:e|y)$/, "")) };
}

function describesState(words: readonly string[]): boolean {
  return STATE_NOUNS.has(words.at(-1) ?? "") || words.slice(1).some((word) => READING_VERBS.has(word));
}

/** Splits the last segment of names such as `mcp__shop__cancelOrder` into words. */
function wordsOf(name: string): readonly string[] {
  return (name.split(/__|[./:]/).findLast((part) => part !== "") ?? name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Words that negate or change the verb after them: "cannot be cancelled", "was already closed". */
const NOT_AFFIRMING = new Set(
  "not cannot can can't could couldn't be being already before to only if unless until must unable longer never without didn't wasn't isn't doesn't won't hasn't nicht kein keine keiner konnte no non ne pas aucun aucune nessun nessuna sin não nie niet ya déjà già bereits schon".split(
    " ",
  ),
);

/** Verb forms that report an action as done, whatever the tool is called. */
const DONE = new Set(
  "sent created saved added updated deleted removed completed done successfully accepted confirmed placed scheduled queued moved started restarted deployed posted uploaded installed applied enabled disabled activated turned recorded stored purchased refunded bought sold paid changed modified assigned renamed merged published shared registered replied typed clicked pressed navigated finished booked reserved wrote written thanks yours satisfied set edited inserted replaced overwritten appended archived delivered gebucht gesendet gespeichert erstellt angelegt aktualisiert geändert storniert geöffnet gestartet gestoppt hochgeladen übernommen hinzugefügt entfernt gesetzt".split(
    " ",
  ),
);

/** Whether the first sentence confirms the action: for `lock_doors`, that they are locked. */
export function confirmsAction(answer: string, { stems }: ToolAction): boolean {
  const end = answer.search(SENTENCE_END);
  const first = (end === -1 ? answer : answer.slice(0, end)).slice(0, 200).replace(QUOTED, " ").toLowerCase();
  // "modified since" it was read is the reason of a refusal.
  if (["fail", "error", "exception", " since "].some((words) => first.includes(words))) {
    return false;
  }
  const words = first.split(BETWEEN_WORDS);
  const verb = words.findIndex((word) => DONE.has(word) || isDoneWord(word, { stems }));
  const isMarked = CHECKS.some((mark) => first.includes(mark)) && !CROSSES.some((mark) => answer.includes(mark));
  const stated = verb === -1 && isMarked ? words : words.slice(0, verb);
  return (verb !== -1 || isMarked) && !stated.some((word) => NOT_AFFIRMING.has(word));
}

/** Whether a text says that nothing was done: `No files were removed.`, or at its end `Deployment not started.` */
export function deniesDoing(text: string): boolean {
  const words = text.toLowerCase().split(BETWEEN_WORDS);
  const last = words.at(-1) === "" ? words.length - 2 : words.length - 1;
  return (
    (words[last - 1] === "not" && DONE.has(words[last] ?? "")) ||
    words.some((word, index) => word === "no" && WERE.has(words[index + 2] ?? "") && DONE.has(words[index + 3] ?? ""))
  );
}
const WERE = new Set(["was", "were"]);

/** Whether a word is the participle of the action: `locked` of `lock_doors`. */
export function isDoneWord(word: string, { stems }: ToolAction): boolean {
  return stems.some(
    (stem) =>
      (word.length > stem.length && word.startsWith(stem) && (word.endsWith("ed") || word.endsWith("en"))) ||
      isRomanceParticiple(word, stem) ||
      GERMAN[stem] === word,
  );
}

/** German participles that cannot be derived from the verb, by its stem here. */
const GERMAN: Readonly<Record<string, string>> = {
  schliessen: "geschlossen",
  schließen: "geschlossen",
  loeschen: "gelöscht",
  löschen: "gelöscht",
  sperren: "gesperrt",
  kündigen: "gekündigt",
};

/** `cancelada` of `cancelar`, `annulée` of `annuler`, `inviato` of `inviare`. */
function isRomanceParticiple(word: string, verb: string): boolean {
  const root = ["ar", "er", "ir"].some((ending) => verb.endsWith(ending)) ? verb.slice(0, -2) : "";
  return root.length > 2 && word.startsWith(root) && PARTICIPLES.some((ending) => word.endsWith(ending));
}
const PARTICIPLES = "é ée és ées ado ada ados adas ido ida idos idas ato ata iti ito ita uto uta".split(" ");

/** Marks of what was done, and of what was not. */
const CHECKS = ["\u2713", "\u2714", "\u2705"];
const CROSSES = ["\u2717", "\u2718", "\u274c", "\u2716", "\u26a0"];

const BETWEEN_WORDS = /[^\p{L}\p{N}']+/u;

/** End of the first sentence. */
const SENTENCE_END = /[.!?](?:\s|$)|\n/;

/** Quotations: `the note "milk is missing"`. */
const QUOTED = /(?<!\w)'[^'\n]{1,200}'(?!\w)|"[^"\n]{1,200}"/g;
