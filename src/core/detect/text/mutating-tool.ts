import { createSignal, type Signal } from "../signal.ts";

/** Verbs of mutating tools. A mutating tool reports what it did; a read-only tool describes a state. */
const ACTIONS = new Set(
  "accept activate add adjust allocate append apply approve archive assign attach attack authorize bid block borrow book build buy call cancel cast change charge checkout claim clear click clone close collect commit complete configure confirm connect contact convert copy craft create deactivate decline delete deny deliver deploy deposit disable disconnect dismiss dispatch donate download drive drop edit enable enroll enter exchange export equip escalate extend feed fill finish follow give go grab grant hire hold import increase insert install invite issue join kick kill launch leave lend like link load lock login logout make mark merge message mine modify mount move mute navigate open order pause pay pick place plant play post press print promote provision publish purchase push put rebook recharge record redeem refresh refuel reject refund register release remove rename renew reopen reply request reschedule reserve reset resize resolve restart restore resume retweet return revert revoke roll rotate save scale schedule select sell send set share ship sign snooze spawn start step stop submit subscribe suspend swap switch sync take throw tip toggle top trade transfer trigger turn unblock unfollow unlock unsubscribe update upgrade upload use vote walk withdraw write".split(
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
const STATE_NOUNS =
  /(?:^| )(?:availability|balance|config|configuration|count|data|details?|distance|duration|fees?|help|history|hours|id|ids|info|information|level|limits?|list|logs?|map|metrics|names?|notes|number|options|policy|preview|prices?|rates?|report|results?|rules|settings|size|state|stats|statistics|status|summary|times?|types?)$| (?:describe|fetch|find|get|list|lookup|query|read|search|show|view)(?: |$)/;

/** The same in other languages. */
const READ_VERBS_LOCALIZED = new Set(
  "buscar busca consultar consulta obtener listar ver leer mostrar recherche rechercher chercher lire afficher obtenir consulter suche suchen finde hole holen lese lesen zeige abfragen cercare leggere mostra ler obter procurar poisk nayti naiti chaxun sousuo huoqu kensaku".split(
    " ",
  ),
);

/** Whether the tool is read-only by its name, so that "no" is a valid result. */
export function isReadOnlyTool(name: string | undefined): boolean {
  const first = name === undefined ? "" : (wordsOf(name.slice(0, 200))[0] ?? "");
  return LOOKS.has(first) || READ_VERBS_LOCALIZED.has(first);
}

/** The action that a tool's name describes. */
interface Action {
  /** Stems of its verbs: the letters shared by all forms. */
  readonly stems: readonly string[];
  /** The action removes or ends something. */
  readonly ends: boolean;
}

const ENDS = new Set(
  "block cancel clear close deactivate delete disable disconnect drop kill leave logout mute off pause remove revoke reject stop suspend unblock unfollow unlock unsubscribe".split(
    " ",
  ),
);

/** Cache by name. Cleared when full. */
const known = new Map<string, Action | "looks">();
const KNOWN_LIMIT = 1000;

/** Returns the action of a tool; undefined if it is read-only or unknown. */
export function actionOf(name: string | undefined): Action | undefined {
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

function readAction(name: string): Action | undefined {
  const words = wordsOf(name);
  const verbs = words.filter((word) => ACTIONS.has(word));
  const isOfThings = verbs.every((verb) => THINGS.has(verb)) && STATE_NOUNS.test(words.join(" "));
  return verbs.length === 0 || LOOKS.has(words[0] ?? "") || isOfThings
    ? undefined
    : { stems: verbs.map((verb) => verb.replace(/(?:e|y)$/, "")), ends: words.some((word) => ENDS.has(word)) };
}

/** Splits the last segment of names such as `mcp__shop__cancelOrder` into words. */
function wordsOf(name: string): readonly string[] {
  return (name.split(/__|[./:]/).findLast((part) => part !== "") ?? name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Negations: a negated verb, or something that was not done. */
const DENIED =
  /\b(?:(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|may)(?: (?:currently|yet|still|also|[a-z]{2,12}ly))? not|(?:is|are|was|were|do|does|did|has|have|had|could|would|wo|ca)n't|no longer|(?:nothing|nobody|no one|none) (?:was|were|has|have|is|with|in|to)|not (?:yet )?(?:enough|possible|sufficient|eligible|[a-z]{2,14}ed)|no (?:[\w-]+ ){1,4}(?:was|were|has been|have been) [a-z]{3,14})\b/i;

/** Requirements that must be met first. */
const DEMANDED =
  /^only\b|\b(?:can|may|must) only\b|\bonly (?:have|has|had|[\w-]+ [\w-]+ (?:can|may))\b|\b(?:needs?|requires?|ha(?:s|ve)) (?:to|at least)\b|\b(?:needs?|requires?) (?:an?|the|your|more|another|\d[\d.,]*)\b|\b(?:is|are) (?:needed|required)\b|\b(?:[1-9]\d*|approvals?|permission|login|confirmation) required\b|\bbefore (?:you|it|they|this|that|[a-z]{2,14}ing)\b|\bplease (?:try|retry|provide|specify|supply|log|sign|authenticate|choose|select|correct|ensure|make sure|narrow|reduce|use (?:a|the|another))\b|\btry (?:again|another|a different)\b|\b(?:log|sign) in to\b|\bwait \d|\bunless\b|\binstead\b/i;

/** Obstacles. */
const HINDERED =
  /\b(?:expired|suspended|locked|blocked|rejected|refused|declined|denied|revoked|banned|gave up|rolled back|sold out|fully booked|(?:is|are|was|were) (?:busy|full|closed|offline|empty|missing|reserved|in use)|has been taken|(?:stays|remains?|remained|stayed) [a-z]|limit (?:is |was )?reached|(?:over|above) the [a-z]{0,12} ?limit|(?:higher|lower|more|less|greater|fewer|later|earlier|larger|smaller|older|younger) than|booked out|used up|name exists|missing:|with (?:status|state) (?:failed|error)|(?<!\d [a-z]{1,20} )(?:skipped|discarded|ignored)|session ended|in the past|out of (?:stock|range|fuel|memory|space)|overlap(?:s|ped)?|conflicts?|lacks?|exceed(?:s|ed|ing)?|beyond|(?:above|below|under) the (?:\w+ )?(?:allowed|maximum|minimum|limit)|too [a-z]{3,12}|already (?!up\b|on\b|off\b|the\b|in the\b|installed|satisfied|here\b|there\b)\w+)\b/i;

/** Confirmations at the start. */
const AFFIRMED =
  /(?<!\b(?:not|be|only|can|must|already|cannot|before) )\b(?:sent|created|saved|added|updated|deleted|removed|completed|done|success\w*|ok|accepted|confirmed|placed|scheduled|queued|moved|started|restarted|deployed|posted|uploaded|installed|applied|enabled|disabled|activated|turned|set|recorded|stored|purchased|refunded|bought|got|made|paid|took|went|gave|sold|changed|modified|assigned|renamed|merged|published|shared|registered|replied|typed|clicked|pressed|navigated|finished|listening|booked|reserved|wrote|written|thanks|thank you|yours|now)\b/i;

/** An instruction to the caller, which also counts in the second sentence. */
const ORDERED =
  /[.!?] (?:please |first,? )?(?:only\b|try (?:again|another)|(?:log|sign) in\b|wait \d|provide\b|specify\b|[a-z]+ [^.!?\n]{0,60}\bbefore (?:you|[a-z]{2,14}ing)\b)/i;

/** Remarks in parentheses, `(rates are not live)`, and quotations: `the note "milk is missing"`. */
const ASIDE = /\([^()\n]{0,200}\)|(?<![\w'])'[^'\n]{1,200}'(?!\w)|"[^"\n]{1,200}"|`[^`\n]{1,200}`|“[^”\n]{1,200}”/g;

/** Words for something that ended, the goal of a tool that removes or ends something. */
const ENDED = /no longer|any ?more|(?:will not|won't)/i;

/** Words that negate or change the verb after them: "cannot be cancelled", "was already closed". */
const NOT_AFFIRMING =
  /\b(?:not|n't|cannot|can|could|be|being|already|before|to|only|if|unless|until|must|unable|no longer|never|without)\b|n't\b/i;

/** Whether the result confirms the action: for `lock_doors`, that they are locked. */
export function confirmsAction(answer: string, { stems }: Action): boolean {
  const end = answer.search(SENTENCE_END);
  const first = (end === -1 ? answer : answer.slice(0, end)).slice(0, 200);
  if (/fail|error|exception/i.test(first)) {
    return false;
  }
  return first
    .toLowerCase()
    .split(/[^\p{L}\p{N}']+/u)
    .some((word, index, words) => {
      const form = stems.some(
        (stem) =>
          word.length > stem.length &&
          word.startsWith(stem) &&
          (word.endsWith("ed") ||
            word.endsWith("en") ||
            (word.endsWith("ing") && first[word.length] === ":" && index === 0)),
      );
      return form && !NOT_AFFIRMING.test(words.slice(0, index).join(" "));
    });
}

/** End of the first sentence. */
const SENTENCE_END = /[.!?](?:\s|$)|\n/;

/** Finds a refusal of a mutating tool: a sentence with a negation, a requirement or an obstacle. */
export function findActionRefusal(answer: string, at: number, { ends }: Action): Signal | undefined {
  const plain = answer.replace(ASIDE, " ");
  const end = plain.search(SENTENCE_END);
  for (const pattern of REFUSAL_PATTERNS) {
    const match = pattern.exec(plain);
    // The second sentence only explains the first, unless it instructs the caller.
    if (
      match !== null &&
      (end === -1 || match.index <= end || (pattern === DEMANDED && ORDERED.test(plain.slice(end)))) &&
      !AFFIRMED.test(plain.slice(0, match.index)) &&
      !(ends && ENDED.test(plain.slice(match.index, match.index + 60)))
    ) {
      return createSignal("failure", "sentence-hindrance", at, answer, 0.72);
    }
  }
  return undefined;
}

/** Whether the position lies after a first sentence that is long enough to be the result. */
export function isTrailingRemark(answer: string, at: number): boolean {
  const end = answer.search(SENTENCE_END);
  return end > FIRST_SENTENCE && at > end;
}

const FIRST_SENTENCE = 12;

/** In order of precedence. */
export const REFUSAL_PATTERNS: readonly RegExp[] = [DENIED, DEMANDED, HINDERED];
