/** Cues that are searched for in a sentence, as phrases separated by commas. */
export interface PhraseCues {
  /** Introduces an example, regardless of the rest of the sentence. */
  readonly specimen?: string;
  /** Describes calls in general. */
  readonly general?: string;
  /** Reports something that was written, sent or found elsewhere. */
  readonly report?: string;
  /** Negates; so does every word of `prohibition` and `refusal`. */
  readonly negation?: string;
  /** Forbids the reader an action, or announces that the model avoids it. */
  readonly prohibition?: string;
  /** Refuses in the first person, where a verb of the same sentence would otherwise announce an action. */
  readonly refusal?: string;
  /** Withdraws an earlier statement. */
  readonly retraction?: string;
  /** Refers to something next to the sentence. */
  readonly reference?: string;
  /** Names a call, or the text that asks for it. */
  readonly callName?: string;
  /** The subject of a sentence about the text before it. */
  readonly backReference?: string;
  /** Verbs that take a call as their object. */
  readonly acting?: string;
  /** First person; together with a present-tense verb it announces an action. */
  readonly firstPerson?: string;
  /** Announces the model's own next action. */
  readonly announcement?: string;
  /** Verbs of explaining, which turn "Let me …" into an explanation. */
  readonly explaining?: string;
  /** Objects of an explanation whose subject is a call. */
  readonly explained?: string;
  /** Makes an announced action conditional. */
  readonly condition?: string;
  /** Waits for the reader's consent. */
  readonly consent?: string;
  /** Names the parts of a call, which only occurs in text about calls. */
  readonly callPart?: string;
  /** Asks for permission or advice. */
  readonly question?: string;
}

/** Cues that are compared with one word, or with all words between two calls. */
export interface WordCues {
  /** Cannot end a sentence, because its object must follow. */
  readonly openEnd?: string;
  /** Starts a sentence that does not comment on the call before it. */
  readonly conditional?: string;
  /** Completes "That is all." and similar closings, which do not comment on a call. */
  readonly closing?: string;
  /** May come before the verb of an announcement. */
  readonly interjection?: string;
  /** Labels such as "Now:" or "Step 2:", which only order actions. */
  readonly order?: string;
  /** Ends in -ing but does not name an action. */
  readonly noAction?: string;
  /** Starts a sentence that has the call before it as its subject, or is its caption. */
  readonly aboutCall?: string;
  /** Captions of calls that are compared, kept back or part of data: "Wrong:", "Cancelled:", "value:". */
  readonly caption?: string;
  /** Connects a call to its sentence, even with only one word on each side. */
  readonly glue?: string;
  /** Ends the object of a verb, or takes its place: "I'll stop here and ask." */
  readonly objectEnd?: string;
  /** Offers the calls before and after it as alternatives. */
  readonly choice?: string;
  /** Joins the calls before and after it; so does every word of `choice`. */
  readonly join?: string;
  /** The label of a thought before an action. */
  readonly thought?: string;
}

/**
 * The cue words of the mention gates: one table per language. All languages are searched together, so a phrase of
 * several languages is listed in one of them. Phrases are written as `plainWords` writes text.
 */
export const CUES: Readonly<Record<string, PhraseCues & WordCues>> = {
  /** English */
  en: {
    specimen: `for example, for instance, e g, eg, such as, like this, like so, like these, looks like, look like,
      looked like, would look, something like, shaped like, of the form, in the form, by way of illustration,
      for illustration, to illustrate, only an example, just an example, only an illustration, purely illustrative,
      here is how, here's how, this is how, demonstrates how`,
    general: `example, examples, sample, samples, valid, correct, incorrect, allowed, typical, well formed, legal,
      template, templates, syntax, format, formats, notation, snippet, snippets, placeholder, illustration,
      hypothetical, hypothetically, imagine, suppose, pretend, demo, specimen, tutorial, guide, documentation, docs,
      manual, spec, you can, you could, you should, you would, you need, you must, you may, you might, you want, if you,
      when you, one would, one could, one can, prompts, follow this, follows this, forward this, pass this, hand this,
      relay this, give this, tell the, users, a model, the model, models, an agent, agents, the assistant, an assistant,
      assistants, attackers, people, would be, could be, might be, should be, would send, could send, would write,
      would call, would run, could run, might run, i would, i could, i might, i'd, use this, use the following,
      send this, send the following, send a call, send exactly, write this, type this, paste this, copy this, try this,
      called like, call it like, to call, to use it, invoked, means, refers to, denotes, represents, is how, is what,
      is written, equals, equivalent, same as, fill in, your own, replace, compare, versus, vs, either, option, options,
      alternative, alternatives, alternatively, wrong form, shape, pattern, schema, usage`,
    report: `said, says, saying, wrote, written, writes, sent, sends, contained, contains, containing, received,
      receives, printed, prints, emitted, emits, returned, returns, quoted, quotes, quote, quoting, cites, previous,
      previously, earlier, yesterday, last message, my last, last turn, last answer, last response, log, logs,
      transcript, the user, the page, the website, the email, the document, the readme, the issue, the ticket,
      the comment, instructions, injected, injection, malicious, attacker, suspicious, asked me, asks me, tells me,
      told me, wants me, told to, tried to, attempted, hidden, saw, seen, produced, generated, leaked, malformed,
      invalid, broken, bug, crashes, crashed, used to, had, did, replied, answered, whispered, shouted, typed, muttered,
      pasted, shown, showed, shows, reads, output, above, was, were, the attack, the mistake, the exploit, its content,
      its contents, the content, the contents, fixture, chokes, choked, fails on, breaks on, rejects this`,
    negation: `not, doesn't, didn't, couldn't, isn't, aren't, wasn't, avoids, refuse, refused, refuses, decline,
      declined, without, no, stop, forbid, forbidden, prohibited, ignored, ignoring, skip, nor, neither, none, careful,
      warning, danger, dangerous, harmful, unsafe, destructive`,
    prohibition: `never, do not, don't, dont, will not, won't, wont, must not, mustn't, should not, shouldn't, cannot,
      can't, would not, wouldn't, may not, not going to, refuse to, decline to, avoid, refrain, not be, instead of,
      rather than, ignore, beware`,
    retraction: `scratch that, strike that, forget that, forget it, forget the above, never mind, nevermind,
      on second thought, on second thoughts, wait no, no wait, actually no, actually don't, disregard, ignore that,
      ignore the above, take that back, cancel that, undo that, nothing was run, nothing was executed,
      nothing was called, nothing has been run, nothing has been executed, nothing has been called,
      nothing has actually been, not actually called, not actually run, not actually executed`,
    reference: "this, these, that, those, following, below, above, call, calls, such, here, it",
    callName: `tool, tools, function, functions, command, commands, invocation, invocations, request, requests,
      instruction, instructions, text, page, website, email, document, message, prompt, comment, content, contents,
      injection, suggestion`,
    backReference: `this, that, these, those, it, above, here, such, both, the first, the second, the former, the latter`,
    acting: "run, runs, send, sends, execute, executes, use, copy, call, make, paste, submit, type, trust, do it",
    firstPerson: "i'm, i am",
    announcement: `let me, let's, lets, let us, i'll, i will, i'm going, i am going, going to, gonna, i need to,
      i should, i must, i have to, i want to, i'd like to, i am now, i'm now, now i, next i, first i, then i, so i,
      i now, i shall, right away, will do, doing that, doing it, working on it, give me a moment, just a moment,
      one second, time to, here goes, here it goes, here we go, last step, next step, first step, on my way, one moment,
      hold on, on it, allow me`,
    explaining: `show, give, quote, repeat, explain, describe, illustrate, demonstrate, tell, cite, mention, present,
      outline, document, say, recap, summarize, summarise, walk you, point out, warn, note`,
    explained: `example, examples, sample, format, syntax, call, calls, template, snippet, looks, look, message,
      illustration, notation, form, what happens, what happened, how, why, mistake, problem, danger`,
    condition: `would, could, might, if, unless, in case, assuming, provided that, in the event, should the, should it,
      should this, should that, should you, once you, when you, after you, until you`,
    consent: `once you confirm, once you approve, when you confirm, when you approve, after you confirm,
      after you approve, if you confirm, if you approve, if you agree, pending your, awaiting your, for your review,
      for review, waiting for your, can you confirm, could you confirm, confirm that i, confirm whether, your ok,
      your okay, your permission, your approval, your consent, your confirmation, your go ahead, please confirm,
      confirm first, approve this, your answer, reply yes, say yes, answer yes, yes or no, let me know which,
      tell me which`,
    callPart: `tag, tags, token, tokens, tool call, tool calls, function call, arguments, argument, parameter,
      parameters, parser, parsed, parse, json, markup, server, runtime, proxy, client, regex, string`,
    question: `should i, shall i, do you want me, would you like me, want me to, may i, can i, could i, is it ok,
      is it okay, ok to, okay to, would it help, should we, shall we, is this, is that, did you mean, what about,
      how about, would this, does this, will this, what does, what happens, why does, why did`,
    openEnd: `of, with, like, as, by, for, from, than, to, into, onto, against, about, between, after, before, in, on,
      at, via, per, is, are, was, were, be, been, being, am, that, which, who, the, a, an, this, these, such, every,
      each, any, some, no, and, or, but, nor, because, since, although, while, whether, if, type, types, paste, enter,
      copy, send, sends, write, writes, prints, emit, emits, feeds, shows, reads, ran, called, calling, says, mean,
      means, compare, try, contain, contains, produce, produces, returns, replies, accept, accepts, expect, expects,
      parses, treat, treats, consider, considers, takes, gives, submits`,
    conditional: "if, once, when, after, as, unless",
    closing: "all, it, everything, enough, done, fine, good",
    interjection: `right, ok, okay, sure, great, alright, yes, well, good, perfect, fine, understood, and, now, so,
      then, next, first, thanks, certainly, absolutely`,
    order: `now, next, first, then, finally, again, sure, ok, okay, alright, yes, done, action, step, tool, call,
      calling, great, perfect, assistant, function, both, at, once, together, parallel, 1, 2, 3, 4, 5, 6, 7, 8, 9`,
    noAction: `quoting, citing, repeating, showing, illustrating, documenting, describing, explaining, nothing,
      something, anything, everything, during, following, warning, according, including, meaning, being, missing,
      string, thing, king, ring, spring, morning, evening, regarding, concerning`,
    aboutCall: "figure, listing, caption, is, was, are, were, means, deletes, does, looks, counts, works, fails, shows",
    caption: `wrong, incorrect, bad, before, after, old, original, expected, actual, proposed, suggested, draft, later,
      cancelled, canceled, skipped, rejected, denied, blocked, refused, aborted, discarded, deferred, postponed, value,
      content, contents, completion, target, text`,
    glue: `is, was, means, and, or, because, instead, here, works, fails, never, not, send, use, using, called, like,
      as, if, when, with, for, the, this, that, run, type, write, wrote, says, said, either, than, versus, vs, equals,
      looks`,
    objectEnd: `and, then, so, but, or, if, unless, until, when, while, because, since, as, at, by, for, from, in, on,
      over, past, to, with, before, after, again, ahead, altogether, completely, entirely, first, immediately, now,
      once, right, short, there, what, whatever, everything, anything`,
    choice: "or, vs, versus, alternatively, or else, or even, or alternatively",
    join: "and, then, next, and then",
    thought: "thought, thoughts",
  },
  /** German */
  de: {
    specimen: `zum beispiel, z b, beispielsweise, sieht so aus, so aussehen, wie etwa, etwa so, als beispiel,
      nur ein beispiel, zur veranschaulichung, zur illustration, sieht dann so aus, sieht wie folgt aus`,
    general: `beispiel, beispiele, vorlage, muster, syntax, schreibweise, dokumentation, du kannst, sie können,
      man kann, wäre, würde, könnte, möglichkeit`,
    report: `hat, hatte, haben, wurde, worden, schrieb, schrieben, geschrieben, gesagt, sagte, sagt, gesendet,
      geschickt, enthielt, enthält, steht, stand, gestern, letzte nachricht, letzten nachricht, vorher, früher,
      protokoll, war, lautete, hieß, las`,
    negation: `nicht, kein, keine, keinen, keinem, keiner, ohne, statt, anstatt, weigere, verboten, vorsicht, warnung,
      gefährlich`,
    prohibition: `niemals, nicht ausführen, nicht senden, nicht verwenden, werde nicht, darf nicht, dürfen nicht,
      sollte nicht, soll nicht, vermeide, vermeiden, führe nicht, sende nicht, nie`,
    retraction: `vergiss das, vergessen sie das, moment nein, doch nicht, lieber nicht, nichts ausgeführt,
      nichts aufgerufen`,
    reference: "dies, diese, diesen, dieser, dieses, folgende, folgenden, folgendes, oben, unten, aufruf",
    backReference: "dies, das, diese, dieser, dieses, genau, oben",
    acting: "ausführen, senden, verwenden, kopieren",
    firstPerson: "ich",
    announcement: `ich werde, ich schaue, ich prüfe, ich lese, ich suche, ich führe, ich rufe, ich öffne, ich starte,
      ich sehe, ich melde, ich erledige, lass mich, lassen sie mich, schauen wir, zuerst, als nächstes, jetzt, nun`,
    explaining: "zeige, zeigen, gebe, erkläre, erklären, beschreibe, beschreiben, zitiere, zitieren",
    explained: "beispiel, aufruf, format, vorlage, nachricht",
    condition: "würde, könnte, wenn, falls, sobald",
    consent: `dein einverständnis, deine zustimmung, ihre zustimmung, deine freigabe, ihre freigabe, deine bestätigung,
      ihre bestätigung, bitte bestätigen, bestätige bitte`,
    question: "soll ich, darf ich, kann ich, möchtest du, möchten sie, was passiert, warum",
    openEnd: `wie, mit, von, als, für, aus, bei, nach, ist, sind, war, waren, der, die, das, ein, eine, einen, dass,
      und, oder, aber, weil, schreibe, schreibt, sende, sendet, führe, tippe, gib, vergleiche, siehe`,
    conditional: "wenn, sobald, falls, nachdem",
    closing: "alles",
    aboutCall: "abbildung, ist, war, wäre, bedeutet",
    caption: "falsch, richtig, vorher, nachher",
    choice: "oder, oder auch",
    join: "und, dann",
    thought: "gedanke",
  },
  /** French */
  fr: {
    specimen: `par exemple, comme ceci, comme cela, ressemble à, tel que, telle que, à titre d'exemple,
      à titre d'illustration, qu'un exemple, simple exemple, se présente ainsi`,
    general: `exemple, exemples, modèle, syntaxe, forme, documentation, vous pouvez, tu peux, on peut, serait, pourrait,
      devrait`,
    report: `venait, vient, lisais, vu, vue, écrit, dit, envoyé, contenait, contient, hier, dernier message, précédent,
      précédente, reçu, affiche, était, disait`,
    negation: `ne, n'exécute, n'exécutez, n'envoyez, n'envoie, n'utilisez, n'utilise, pas, aucun, aucune, sans, évite,
      refuse, interdit, plutôt que, au lieu, attention, dangereux, garde de`,
    prohibition: `jamais, ne pas, n'exécutez pas, n'envoyez pas, n'utilisez pas, ne vais pas, ne faut pas, ne doit pas,
      ne devez pas, évitez, éviter`,
    refusal: "garderai",
    retraction: "oubliez ça, oublie ça, laisse tomber, en fait non, attendez non, rien n'a été, rien exécuté",
    reference: "ceci, cela, cet, cette, suivant, suivante, voici, appel, ça, c'est, ci dessus, ci dessous, l'appel",
    backReference: "cela, ceci, c'est, ça",
    acting: "exécuter, envoyer, utiliser",
    firstPerson: "je, j'y",
    announcement: `je vais, je vérifie, je regarde, je lis, je lance, je cherche, je m'en occupe, je vous tiens,
      je te tiens, laissez moi, laisse moi, permettez moi, voyons, vérifions, maintenant, d'abord, tout de suite`,
    explaining: "montrer, donner, expliquer, décrire, citer",
    explained: "exemple, appel, modèle",
    condition: "si, pourrait, serait",
    consent: "ton accord, votre accord, veuillez confirmer, confirmez",
    question: "dois je, puis je, voulez vous, est ce que, pourquoi",
    openEnd: `de, du, des, avec, comme, pour, par, est, sont, était, que, qui, le, la, les, un, une, et, ou, mais,
      écrivez, tapez, envoyez, comparez, voir`,
    conditional: "si, quand, lorsque, dès",
    closing: "tout",
    aboutCall: "est, était, serait, signifie",
    caption: "faux, avant, après",
    choice: "ou, ou bien",
    join: "et, puis",
    thought: "pensée",
  },
  /** Spanish */
  es: {
    specimen: `por ejemplo, como este, como esta, como esto, se ve así, a modo de ejemplo, a modo de ilustración,
      solo un ejemplo, sólo un ejemplo, p ej, queda así, quedaría así, es así, luce así, tiene esta forma`,
    general: "ejemplo, ejemplos, plantilla, sintaxis, formato, documentación, puedes, puede, sería, podría, debería",
    report: `escribió, escrito, dijo, dice, envió, enviado, contenía, contiene, ayer, último mensaje, anterior, recibí,
      recibido, muestra, era, fue, decía`,
    negation: "evitar, sin, en vez, en lugar, tampoco, prohibido, cuidado, peligroso",
    prohibition: `nunca, jamás, no ejecutes, no envíes, no ejecutar, no enviar, no uses, no voy a, no debes, no se debe,
      no hay que, evita, evite`,
    retraction: "olvídalo, olvida eso, mejor no, espera no, no se ha ejecutado, no he ejecutado",
    reference: "esto, este, esta, eso, siguiente, llamada, arriba, lo anterior",
    backReference: "esto, eso, esta, este, lo anterior",
    acting: "ejecutar, enviar, usar",
    firstPerson: "yo",
    announcement: `voy a, déjame, déjeme, permíteme, permítame, vamos a, ahora, primero, reviso, busco, ejecuto,
      consulto, a continuación voy`,
    explaining: "mostrar, dar, explicar, describir, citar",
    explained: "ejemplo, llamada, formato",
    condition: "podría, sería, cuando",
    consent: `tu permiso, su permiso, tu aprobación, su aprobación, tu confirmación, su confirmación, por favor confirma`,
    question: "debo, puedo, quieres que, quiere que, debería, por qué",
    openEnd: `con, como, por, para, del, es, son, era, que, el, la, los, las, una, y, o, pero, escribe, escribes, envía,
      ejecuta, ejecutes, compara, ver`,
    conditional: "cuando",
    closing: "todo",
    aboutCall: "es, era, sería, significa",
    caption: "incorrecto, antes, después",
    choice: "o, o bien",
    join: "y, luego",
    thought: "pensamiento",
  },
  /** Portuguese */
  pt: {
    specimen: `por exemplo, apenas um exemplo, como este, assim como, fica assim, ficaria assim, é assim, tem esta forma`,
    general: "exemplo, exemplos, modelo, sintaxe, documentação, você pode, pode se, seria, poderia",
    report: `escreveu, escrito, disse, diz, enviou, enviado, continha, contém, ontem, última mensagem, anterior, foi,
      mostra`,
    negation: "não, sem, em vez, proibido, perigoso",
    prohibition: "não execute, não envie, não vou, não deve, não use",
    retraction: "esqueça, espera não",
    reference: "isto, isso, seguinte, chamada",
    backReference: "isto, isso",
    acting: "executar",
    firstPerson: "eu",
    announcement: "vou, deixe me, deixa eu, permita me, vamos, agora, primeiro",
    explaining: "descrever",
    explained: "exemplo, chamada",
    condition: "se, poderia",
    consent: "sua aprovação, por favor confirme, sua confirmação",
    question: "devo, posso, quer que",
    openEnd: "com, como, são, foi, o, os, uma, e, ou, mas, escreva, envie, compare",
    conditional: "se, quando",
    aboutCall: "é, seria",
  },
  /** Italian */
  it: {
    specimen: `si presenta così, è così, per esempio, ad esempio, solo un esempio, come questo, come questa, fatto così`,
    general: "esempio, esempi, modello, sintassi, formato, documentazione, puoi, si può, sarebbe, potrebbe",
    report: `scrisse, scritto, disse, detto, dice, inviato, conteneva, contiene, ieri, ultimo messaggio, precedente,
      mostra, era`,
    negation: "non, evitare, senza, invece, vietato, attenzione, pericoloso",
    prohibition: "non eseguire, non inviare, non devi, mai",
    retraction: "lascia perdere, anzi no, aspetta no",
    reference: "questo, questa, seguente, chiamata, quanto sopra",
    backReference: "questo, questa, ciò",
    acting: "eseguire, inviare, usare",
    firstPerson: "io",
    announcement: "lasciami, mi permetta, vado a, controllo, verifico, ora, adesso, prima cerco, cerco",
    explaining: "mostrare, spiegare, citare",
    explained: "esempio, chiamata",
    condition: "potrebbe",
    consent: "tuo consenso, suo consenso, tua approvazione, per favore conferma, conferma prima",
    question: "vuoi che, perché",
    openEnd: "di, come, è, sono, che, il, lo, gli, una, ma, scrivi, invia, confronta",
    closing: "tutto",
    aboutCall: "è",
    join: "e",
    thought: "pensiero",
  },
  /** Dutch */
  nl: {
    specimen: "bijvoorbeeld, zoals deze, ziet er zo uit, ziet er als volgt uit",
    general: "documentatie, voorbeeld, syntaxis",
    report: "geschreven, zei, stuurde, bevatte, bevat, gisteren, vorige",
    negation: "niet, geen, zonder",
    prohibition: "nooit",
    retraction: "vergeet dat, toch niet",
    reference: "deze, volgende",
    backReference: "dit, dat, deze",
    firstPerson: "ik",
    announcement: "ik ga, laat me, laat mij, eerst, nu",
    explaining: "laten zien, uitleggen",
    explained: "voorbeeld, aanroep",
    question: "moet ik, zal ik",
    choice: "of",
    join: "en, dan",
  },
  /** Swedish */
  sv: {
    specimen: "till exempel, så här ser, ser ut så",
    general: "dokumentationen, exempel",
    report: "svarade, loggen, loggin, skrev, sade, skickade, innehöll",
    negation: "inte, aldrig, utan",
    retraction: "glöm det, nej vänta",
    reference: "detta, denna",
    backReference: "detta, denna, det, dette",
    acting: "köra, skicka",
    firstPerson: "jag",
    announcement: "jag ska, låt mig",
    explaining: "visa, förklara",
    explained: "exempel, anrop",
    question: "ska jag",
    choice: "eller",
    join: "och",
  },
  /** Danish and Norwegian */
  da: {
    specimen: "for eksempel, ser sådan ud",
    general: "eksempel",
    report: "svarte, svarede",
    negation: "ikke, aldri, uden, uten",
    firstPerson: "jeg",
    announcement: "jeg vil, la meg, lad mig",
  },
  /** Finnish */
  fi: {
    specimen: "esimerkiksi",
    general: "esimerkki",
    report: "eilen, kirjoitti",
    negation: "älä, ei, en suorita, en tee, en aja, en lähetä",
    refusal: "en aio",
  },
  /** Polish */
  pl: {
    specimen: "na przykład, jak ten, wygląda tak, wygląda następująco",
    general: "dokumentacji, wygląda, przykład, składnia",
    report: "napisał, powiedział, wysłał, zawierał, zawiera, wczoraj, poprzedni",
    negation: "bez",
    prohibition: "nigdy",
    retraction: "zapomnij, jednak nie",
    reference: "następujący",
    acting: "uruchamiaj, wysyłaj",
    announcement: "zaraz, sprawdzę, pozwól, najpierw",
    explaining: "pokazać",
    explained: "przykład, wywołanie",
    question: "czy mam",
    choice: "lub",
    join: "i",
  },
  /** Czech */
  cs: {
    specimen: "například",
    general: "příklad",
    negation: "nikdy, ne",
  },
  /** Hungarian */
  hu: {
    report: "tegnap, írta",
    negation: "nem, soha, tilos",
    refusal: "nem fogom, nem fogok",
  },
  /** Russian */
  ru: {
    specimen: "выглядит так, например, к примеру, только пример, лишь пример, просто пример, вроде такого, вот так",
    general: `пример, примера, примеры, шаблон, синтаксис, формат, документация, документации, можно, можете, бы,
      выглядит`,
    report: `написал, написала, сказал, сказала, отправил, отправила, содержало, содержал, содержит, вчера,
      прошлое сообщение, последнее сообщение, предыдущее, было, был, говорится, получил, написано`,
    negation: "не, без, избегай, избегайте, вместо, запрещено, отказываюсь, опасно, осторожно",
    prohibition: `никогда, нельзя, не запускай, не запускайте, не отправляй, не отправляйте, не буду, не стоит, не надо,
      не выполняй, не выполняйте, не используй`,
    retraction: "забудь, забудьте, отмена, постойте, ничего не выполнено, ничего не запускал, хотя нет",
    reference: "следующее, следующий, следующую, это, этот, эту, этого, ниже, выше, вот, такой, вызов",
    backReference: "это, этот, эта, выше",
    acting: "запускать, запускай, запускайте, выполнять, отправлять",
    firstPerson: "я",
    announcement: `сейчас, давайте, давай, посмотрю, проверю, сначала, попробую, позвольте, запускаю, выполняю,
      проверяю, читаю, ищу`,
    explaining: "показать, покажу, объясню, приведу, процитирую, описать, объяснить",
    explained: "пример, вызов, формат, как",
    condition: "бы, если, когда",
    consent: "подтвердите, подтверди, ваше согласие",
    question: "мне выполнить, мне запустить, мне отправить, запустить ли, можно ли, стоит ли, почему",
    openEnd: `с, как, для, от, это, что, и, или, но, из, в, на, по, напиши, напишите, отправь, отправьте, введи,
      введите, сравни, сравните`,
    conditional: "если, когда",
    closing: "всё",
    choice: "или",
    join: "и",
    thought: "мысль",
  },
  /** Ukrainian */
  uk: {
    specimen: "виглядає так, наприклад",
    general: "виглядає, приклад, зразок",
    report: "учора, зробив, зробила, написав, надіслав, відповів",
    negation: "ніколи",
    backReference: "це",
    announcement: "зараз, спочатку",
    choice: "або",
    join: "та",
  },
  /** Greek */
  el: {
    report: "χθες, έγραψε",
    negation: "δεν, μην, ποτέ, όχι",
    refusal: "δεν πρόκειται, δεν θα",
  },
  /** Turkish */
  tr: {
    specimen: "şöyle görünür, böyle görünür, örneğin, mesela",
    general: "belgelerde, görünür, örnek, sözdizimi",
    report: "dün, yazdı",
    negation: "değil, asla, olmadan, sakın, çalıştırmam, çalıştırmayın, göndermeyin, çalıştırma",
    refusal: "çalıştırmayacağım, göndermeyeceğim, yapmayacağım, etmeyeceğim, kullanmayacağım",
    retraction: "boş ver, vazgeçtim",
    backReference: "bu, şu",
    firstPerson: "ben",
    announcement: "şimdi, bakayım, kontrol edeyim",
    consent: "onaylayın, onaylar mısınız",
    choice: "veya",
    join: "ve",
  },
  /** Vietnamese */
  vi: {
    specimen: "trông như, ví dụ, chẳng hạn",
    general: "cú pháp",
    negation: "không, đừng, chưa, chớ",
    backReference: "đây",
    firstPerson: "tôi",
    announcement: "để tôi, tôi sẽ",
    choice: "hoặc",
    join: "và",
  },
  /** Indonesian */
  id: {
    specimen: "seperti ini, misalnya, contohnya",
    general: "contoh, sintaks",
    negation: "jangan, tidak, bukan",
    backReference: "ini, itu",
    firstPerson: "saya, aku",
    announcement: "biar saya, saya akan, mari",
    choice: "atau",
  },
  /** Arabic */
  ar: {
    specimen: "على سبيل المثال, مثلا",
    general: "مثال, صيغة",
    negation: "لا, لن, أبدا",
    backReference: "هذا, هذه",
    firstPerson: "أنا",
    announcement: "سأقوم, دعني",
  },
  /** Hebrew */
  he: {
    report: "אתמול, כתב",
    negation: "לא, אל, אין, לעולם",
    refusal: "לא אריץ, לא אשלח, לא אבצע",
  },
  /** Hindi */
  hi: {
    specimen: "उदाहरण",
    negation: "नहीं, मत",
    backReference: "यह, वह",
    firstPerson: "मैं",
  },
  /** Thai */
  th: {
    report: "เมื่อวาน",
    negation: "ไม่, อย่า, ห้าม",
    refusal: "จะไม่",
  },
  /** Chinese */
  zh: {
    specimen:
      "仅供参考, 僅供參考, 仅为示例, 只是示例, 只是例子, 仅作说明, 例如, 比如, 譬如, 举例, 舉例, 像这样, 像這樣, 形如, 类似于",
    general:
      "示例, 例子, 样例, 範例, 格式, 语法, 語法, 模板, 文档, 文檔, 你可以, 您可以, 可以用, 假设, 假如, 如果, 应该, 會是, 会是, 用法",
    report: "写道, 写了, 说过, 说：, 发送了, 发了, 包含, 上一条, 上一个, 昨天, 之前, 显示, 收到, 日志, 里有",
    negation: "不應, 不是, 不该, 別, 絕不, 从不, 从未, 拒絕, 危险, 小心",
    prohibition: "不要, 不会, 不會, 不能, 不可, 不应, 不得, 别, 勿, 绝不, 禁止, 拒绝, 避免",
    retraction: "算了, 等等不, 尚未执行, 没有执行, 没有实际, 並未執行, 并未执行, 还是不",
    reference: "这, 這, 以下, 下面, 此, 如下, 上面, 以上, 上述, 调用",
    backReference: "这, 這, 上面, 以上, 上述",
    acting: "运行, 執行, 执行, 发送, 使用",
    announcement:
      "我来, 我來, 让我, 讓我, 我将, 我將, 我会, 我會, 我先, 我去, 我要, 我需要, 我正在, 现在, 現在, 首先, 接下来, 接下來, 正在, 先看, 好的，",
    explaining: "展示, 解释, 解釋, 说明, 說明, 引用, 描述, 告诉",
    explained: "格式, 调用",
    condition: "如果, 假如, 的话",
    consent: "请确认",
    question: "要我, 是否, 要不要, 为什么, 吗",
    conditional: "如果",
    choice: "或, 或者",
    join: "和, 然后",
    thought: "思考, 想法",
  },
  /** Japanese */
  ja: {
    specimen: "例えば, たとえば, 例として, 説明用, の例です, サンプルです, 次のようになります, のような形, このように",
    general: "例：, 例:, サンプル, 形式, 書式, 構文, 文法, テンプレート, ドキュメント, できます, でしょう, 場合",
    report: "書いた, 書いて, 言った, 送った, 送信した, 含まれ, 前回, 昨日, 表示, 受け取, ログ, でした, ありました",
    negation: "ない, ません, するな, 避け, 決して, 危険",
    prohibition: "しないで, ないでください, してはいけ, てはならない, しません, 禁止",
    retraction: "やっぱりやめ, 忘れて, 実行していません, 何も実行, 実行されていません",
    reference: "次の, 以下, これ, この, 上記, それ, 呼び出し",
    backReference: "これ, 上記, それ",
    acting: "実行, 送信, 使用",
    announcement:
      "確認します, 調べます, 実行します, 見てみ, 検索します, 読みます, します, しましょう, まず, これから, では、, 今から",
    explaining: "見せ, 説明, 引用, 示し, 紹介",
    explained: "例, 形式, 呼び出し",
    condition: "もし, たら",
    consent: "確認してください, 同意",
    question: "ましょうか, でしょうか, ますか, なぜ",
    conditional: "もし",
    choice: "または",
    join: "そして, と",
  },
  /** Korean */
  ko: {
    specimen: "예를 들어, 예를 들면, 예시입니다, 예일 뿐, 이런 식",
    general: "예시, 예제, 형식, 문법, 템플릿, 문서, 처럼, 같은",
    report: "썼, 말했, 보냈, 포함, 어제, 이전, 받았, 로그",
    negation: "않, 위험",
    prohibition: "마세요, 마십시오, 말아, 않겠, 금지, 절대",
    refusal: "않겠, 않을",
    retraction: "잊어, 아니다",
    reference: "다음, 이, 위의, 호출",
    backReference: "이것, 위의, 이는",
    acting: "실행, 보내",
    announcement: "겠습니다, 할게요, 해볼게요, 먼저, 지금, 확인하",
    explaining: "보여, 설명, 인용",
    explained: "예시, 예제, 형식, 호출",
    condition: "만약, 면",
    consent: "승인, 확인해 주세요",
    question: "할까요, 을까요, 왜",
    choice: "또는",
    join: "그리고",
    thought: "생각",
  },
};
