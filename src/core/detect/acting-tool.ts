import { type Finding, finding } from "./finding.ts";

/** What a tool does that changes something: asked to act, it says what it did; asked to look, it says how things are. */
const ACTIONS = new Set(
  "accept activate add adjust allocate append apply approve archive assign attach attack authorize block book build buy call cancel change charge checkout claim clear click clone close collect commit complete configure confirm connect contact convert copy craft create deactivate delete deliver deploy deposit disable disconnect dispatch download drive drop edit enable enroll enter exchange export extend fill finish follow generate give go grab grant import increase insert install invite issue join kick kill launch leave like link load lock login logout make mark merge message mine modify mount move mute navigate open order pause pay pick place play post press promote provision publish purchase push put rebook recharge record redeem refresh refuel refund register release remove rename renew reopen reply request reschedule reserve reset resize resolve restart restore resume retweet return revert revoke roll rotate save scale schedule select sell send set share ship sign snooze spawn start step stop submit subscribe suspend swap switch sync take tip toggle top trade transfer trigger turn unblock unfollow unlock unsubscribe update upgrade upload use walk withdraw write".split(
    " ",
  ),
);

/** First words of tools that look: `get_order` does not order. */
const LOOKS = new Set(
  "get list search find check show read view fetch query lookup look describe display status is has can count info inspect calculate compute estimate compare recommend suggest predict track monitor retrieve verify validate test simulate analyze analyse summarize think who what where when which".split(
    " ",
  ),
);

/** Names repeat all day; emptied when full, so it stays small. */
const known = new Map<string, boolean>();
const KNOWN_LIMIT = 1000;

/**
 * Does a tool of this name change something?
 *
 * @example
 * isActing("cancel_order"); // true
 * isActing("get_order"); // false
 */
export function isActing(name: string | undefined): boolean {
  if (name === undefined) {
    return false;
  }
  const before = known.get(name);
  if (before !== undefined) {
    return before;
  }
  const last = name
    .slice(0, 200)
    .split(/__|[./:]/)
    .findLast((part) => part !== "");
  const words = (last ?? name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const acting = !LOOKS.has(words[0] ?? "") && words.some((word) => ACTIONS.has(word));
  if (known.size >= KNOWN_LIMIT) {
    known.clear();
  }
  known.set(name, acting);
  return acting;
}

/** What was asked for is not so: a verb that is denied, or something that was not done. */
const DENIED =
  /\b(?:(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|may)(?: (?:currently|yet|still|also|[a-z]{2,12}ly))? not|(?:is|are|was|were|do|does|did|has|have|had|could|would|wo|ca)n't|no longer|(?:nothing|nobody|no one|none) (?:was|were|has|have|is|with|in|to)|not (?:yet )?(?:enough|possible|sufficient|eligible|[a-z]{2,14}ed)|no (?:[\w-]+ ){1,4}(?:was|were|has been|have been) [a-z]{3,14})\b/i;

/** What has to be so first, or instead. */
const DEMANDED =
  /^only\b|\b(?:can|may|must) only\b|\bonly (?:have|has|had)\b|\b(?:needs?|requires?) (?:to|an?|at|the|your|more|another|\d[\d.,]*)\b|\b(?:is|are) (?:needed|required)\b|\b(?:[1-9]\d*|approvals?|permission|login|confirmation) required\b|\bbefore (?:you|it|they|this|that|[a-z]{2,14}ing)\b|\bplease (?:try|retry|provide|specify|supply|log|sign|authenticate|choose|select|correct|ensure|make sure|narrow|reduce|use (?:a|the|another))\b|\btry (?:again|another|a different)\b|\bunless\b|\binstead\b/i;

/** What stands in the way. Where the tool was asked for just that, it is what was done. */
const HINDERED =
  /\b(?:expired|suspended|locked|blocked|rejected|refused|declined|denied|revoked|banned|gave up|rolled back|sold out|fully booked|out of (?:stock|range|fuel|memory|space)|overlap(?:s|ped)?|conflicts?|lacks?|exceed(?:s|ed|ing)?|beyond|too (?:many|few|much|little|long|short|large|small|big|high|low|far|close|old|young|late|early|weak|heavy|fast|slow)|already (?!up\b|on\b|off\b|the\b|in the\b|installed|here\b|there\b)\w+)\b/i;

/** Somebody who did it says so first. */
const AFFIRMED =
  /(?<!\b(?:not|be|only|can|must|already|cannot|before) )\b(?:sent|created|saved|added|updated|deleted|removed|completed|done|success\w*|ok|accepted|confirmed|placed|scheduled|moved|started|restarted|deployed|posted|uploaded|installed|applied|enabled|disabled|activated|turned|set|recorded|stored|purchased|refunded|now)\b/i;

/** Where the first sentence ends. */
const SENTENCE_END = /[.!?;](?:\s|$)|\n/;

/** What an acting tool answers instead of acting: one sentence that denies, demands or names a hindrance. */
export function findHindrance(answer: string, at: number, toolName: string): Finding | undefined {
  for (const [pattern, confidence] of HINDRANCES) {
    const match = pattern.exec(answer);
    if (match === null || AFFIRMED.test(answer.slice(0, match.index)) || isAskedFor(match[0], toolName)) {
      continue;
    }
    // Of what was told in the first sentence the second only gives details.
    const end = answer.search(SENTENCE_END);
    if (end === -1 || match.index <= end || pattern === DENIED) {
      return finding("failure", "sentence-hindrance", at + match.index, answer, confidence);
    }
  }
  return undefined;
}

const HINDRANCES: readonly (readonly [RegExp, number])[] = [
  [DENIED, 0.72],
  [DEMANDED, 0.7],
  [HINDERED, 0.7],
];

/** `lock_doors` answers that they are locked. */
function isAskedFor(words: string, toolName: string): boolean {
  const stem = words.toLowerCase().slice(0, 4);
  return toolName.toLowerCase().includes(stem.trimEnd()) && /^[a-z]{4}/.test(stem);
}
