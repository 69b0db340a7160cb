/**
 * A vocabulary of the mention gates, in the languages that models use most. A phrase matches whole words of a
 * lower-case sentence without punctuation. Phrases in scripts without spaces match anywhere in it.
 */
export interface Vocabulary {
  readonly unspaced: readonly string[];
}

/**
 * The phrases of all vocabularies in spaced scripts, each with a trailing space, by the hash of their first one or two
 * words.
 */
const SPACED = new Map<number, { readonly phrase: string; readonly vocabulary: Vocabulary }[]>();
/** A prefilter on the low bits of the hashes: most words do not begin a phrase. */
const BEGINS = new Uint8Array(1 << 15);
const LAST_BITS = BEGINS.length - 1;

/** Scripts that do not separate words with spaces. */
const FIRST_UNSPACED = 0xe00;
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

function vocabulary(text: string): Vocabulary {
  const unspaced: string[] = [];
  const own: Vocabulary = { unspaced };
  for (const phrase of text.split(/[,\n]/).map((one) => one.trim())) {
    if (phrase === "") continue;
    if (UNSPACED.test(phrase)) unspaced.push(phrase);
    else {
      const hash = phrase.split(" ", 2).map(hashOf).reduce(joinHashes);
      BEGINS[hash & LAST_BITS] = 1;
      SPACED.set(hash, [...(SPACED.get(hash) ?? []), { phrase: `${phrase} `, vocabulary: own }]);
    }
  }
  return own;
}

function addToHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 0x3fffffff;
}

function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = addToHash(hash, word.charCodeAt(i));
  return hash;
}

function joinHashes(first: number, second: number): number {
  return addToHash(Math.imul(first, 8191), second);
}

/** Whether a plain sentence (see `plainWords`) contains a word or phrase of the vocabulary. */
export function mentions(sentence: string, words: Vocabulary): boolean {
  return lastMention(sentence, words) !== -1;
}

/** Position of the space before the last phrase of the vocabulary in a plain sentence, or -1. */
export function lastMention(sentence: string, vocabulary: Vocabulary): number {
  if (sentence !== latestMatches.sentence) latestMatches = matchVocabularies(sentence);
  return lastIn(latestMatches, vocabulary);
}

/** Whether the first `count` words of a plain sentence contain a word or phrase of the vocabulary. */
export function mentionsEarly(sentence: string, count: number, vocabulary: Vocabulary): boolean {
  let end = -1;
  for (let blanks = 0; blanks <= count; blanks++) {
    end = sentence.indexOf(" ", end + 1);
    if (end === -1) return mentions(sentence, vocabulary);
  }
  return lastIn(matchVocabularies(sentence.slice(0, end + 1)), vocabulary) !== -1;
}

function lastIn({ sentence, spaced, hasUnspaced }: SentenceMatches, vocabulary: Vocabulary): number {
  const last = spaced.get(vocabulary) ?? -1;
  if (!hasUnspaced) return last;
  return vocabulary.unspaced.reduce((best, phrase) => Math.max(best, sentence.lastIndexOf(phrase)), last);
}

/** All vocabulary matches of one sentence. */
interface SentenceMatches {
  readonly sentence: string;
  /** Position of the last matching phrase, by vocabulary. */
  readonly spaced: ReadonlyMap<Vocabulary, number>;
  readonly hasUnspaced: boolean;
}

/** Caches the latest sentence, because the gates query a dozen vocabularies in a row. */
let latestMatches = matchVocabularies("");

/** Matches a sentence against all vocabularies in one pass, without copying words. */
function matchVocabularies(sentence: string): SentenceMatches {
  const spaced = new Map<Vocabulary, number>();
  const matchAt = (hash: number, blank: number): void => {
    if (BEGINS[hash & LAST_BITS] === 0) return;
    const phrases = SPACED.get(hash);
    if (phrases === undefined) return;
    for (const { phrase, vocabulary } of phrases)
      if (sentence.startsWith(phrase, blank + 1)) spaced.set(vocabulary, blank);
  };
  /** `word` and `last` are the hashes of the current and the last word; `blank` and `earlier` the spaces before them. */
  let word = 0;
  let last = 0;
  let blank = 0;
  let earlier = -1;
  /** All bits of all characters: a script beyond the spaced ones sets a high one. */
  let bits = sentence.codePointAt(0) ?? 0;
  for (let i = 1; i < sentence.length; i++) {
    const code = sentence.charCodeAt(i);
    bits |= code;
    if (code !== 32) {
      word = addToHash(word, code);
      continue;
    }
    // The later position must be set last, because it overwrites the earlier one.
    if (earlier !== -1) matchAt(joinHashes(last, word), earlier);
    matchAt(word, blank);
    last = word;
    word = 0;
    earlier = blank;
    blank = i;
  }
  return { sentence, spaced, hasUnspaced: bits >= FIRST_UNSPACED && UNSPACED.test(sentence) };
}

/** Introduces an example, regardless of the rest of the sentence. */
export const SPECIMEN = vocabulary(`
  for example, for instance, e g, eg, such as, like this, like so, like these, looks like, look like, looked like,
  would look, something like, shaped like, of the form, in the form, by way of illustration, for illustration, to illustrate, only an example, just an example, only an illustration, purely illustrative, here is how, here's how, this is how, demonstrates how,
  zum beispiel, z b, beispielsweise, sieht so aus, so aussehen, wie etwa, etwa so, als beispiel, nur ein beispiel, zur veranschaulichung, zur illustration,
  par exemple, comme ceci, comme cela, ressemble à, tel que, telle que, à titre d'exemple, à titre d'illustration, qu'un exemple, simple exemple,
  por ejemplo, como este, como esta, como esto, se ve así, a modo de ejemplo, a modo de ilustración, solo un ejemplo, sólo un ejemplo, p ej,
  por exemplo, apenas um exemplo, como este, assim como, fica assim, ficaria assim, é assim, tem esta forma, queda así, quedaría así, es así, luce así, tiene esta forma, se présente ainsi, si presenta così, è così, sieht dann so aus, sieht wie folgt aus, per esempio, ad esempio, solo un esempio, come questo, come questa, fatto così,
  bijvoorbeeld, zoals deze, na przykład, jak ten, till exempel, for eksempel, esimerkiksi, například, například takto,
  så här ser, ser ut så, ser sådan ud, ziet er zo uit, ziet er als volgt uit, wygląda tak, wygląda następująco, şöyle görünür, böyle görünür, trông như, seperti ini, виглядає так, выглядит так,
  örneğin, mesela, ví dụ, chẳng hạn, misalnya, contohnya, например, к примеру, только пример, лишь пример, просто пример, вроде такого, вот так, наприклад,
  على سبيل المثال, مثلا, उदाहरण, 仅供参考, 僅供參考, 仅为示例, 只是示例, 只是例子, 仅作说明, 例如, 比如, 譬如, 举例, 舉例, 像这样, 像這樣, 形如, 类似于, 例えば, たとえば, 例として, 説明用, の例です, サンプルです, 次のようになります, のような形, このように, 예를 들어, 예를 들면, 예시입니다, 예일 뿐, 이런 식`);

/** Describes calls in general. */
export const GENERAL = vocabulary(`
  example, examples, sample, samples, valid, correct, incorrect, allowed, typical, well formed, legal, template, templates, syntax, format, formats, notation, snippet, snippets, placeholder,
  illustration, hypothetical, hypothetically, imagine, suppose, pretend, demo, specimen, tutorial, guide, documentation, docs, manual, spec,
  you can, you could, you should, you would, you need, you must, you may, you might, you want, if you, when you, one would, one could, one can,
  prompts, follow this, follows this, forward this, pass this, hand this, relay this, give this, tell the,
  users, a model, the model, models, an agent, agents, the assistant, an assistant, assistants, attackers, people,
  would be, could be, might be, should be, would send, could send, would write, would call, would run, could run, might run, i would, i could, i might, i'd,
  use this, use the following, send this, send the following, send a call, send exactly, write this, type this, paste this, copy this, try this,
  called like, call it like, to call, to use it, invoked, means, refers to, denotes, represents, is how, is what, is written, equals, equivalent, same as,
  fill in, your own, replace, compare, versus, vs, either, option, options, alternative, alternatives, alternatively, correct form, wrong form, shape, pattern, schema, usage,
  beispiel, beispiele, vorlage, muster, syntax, schreibweise, dokumentation, du kannst, sie können, man kann, man könnte, man würde, wäre, würde, könnte, möglichkeit,
  exemple, exemples, modèle, syntaxe, forme, documentation, vous pouvez, tu peux, on peut, serait, pourrait, devrait,
  ejemplo, ejemplos, plantilla, sintaxis, formato, documentación, puedes, puede, se puede, sería, podría, debería,
  exemplo, exemplos, modelo, sintaxe, documentação, você pode, pode se, seria, poderia, esempio, esempi, modello, sintassi, formato, documentazione, puoi, si può, sarebbe, potrebbe,
  dokumentationen, documentatie, dokumentacji, belgelerde, görünür, wygląda, виглядає,
  voorbeeld, syntaxis, przykład, składnia, exempel, eksempel, esimerkki, příklad, örnek, sözdizimi, contoh, sintaks, cú pháp,
  пример, примера, примеры, шаблон, синтаксис, формат, документация, документации, можно, можете, был бы, бы, выглядит, приклад, зразок, مثال, صيغة,
  示例, 例子, 样例, 範例, 格式, 语法, 語法, 模板, 文档, 文檔, 你可以, 您可以, 可以用, 假设, 假如, 如果, 应该, 會是, 会是, 用法,
  例：, 例:, サンプル, 形式, 書式, 構文, 文法, テンプレート, ドキュメント, できます, でしょう, 場合, 예시, 예제, 형식, 문법, 템플릿, 문서, 처럼, 같은`);

/** Reports something that was written, sent or found elsewhere. */
export const REPORT = vocabulary(`
  said, says, saying, wrote, written, writes, sent, sends, contained, contains, containing, received, receives, printed, prints, emitted, emits,
  returned, returns, quoted, quotes, quote, quoting, cites, previous, previously, earlier, yesterday, last message, my last, last turn, last answer, last response,
  log, logs, transcript, the user, the page, the website, the email, the document, the readme, the issue, the ticket, the comment, instructions, injected, injection, malicious,
  attacker, suspicious, asked me, asks me, tells me, told me, wants me, told to, tried to, attempted, hidden, saw, seen, was this, was the following, produced, generated, leaked,
  malformed, invalid, broken, bug, crashes, crashed, used to, had, did, replied, answered, whispered, shouted, typed, muttered, pasted, shown, showed, shows, reads, output, above, was, were,
  the attack, the mistake, the exploit, its content, its contents, the content, the contents, fixture, chokes, choked, fails on, breaks on, rejects this,
  svarade, svarte, svarede, loggen, loggin, учора, зробив, зробила, написав, надіслав, відповів, dün, yazdı, eilen, kirjoitti, tegnap, írta, χθες, έγραψε, אתמול, כתב, เมื่อวาน,
  hat, hatte, haben, wurde, worden,
  schrieb, schrieben, geschrieben, gesagt, sagte, sagt, gesendet, geschickt, enthielt, enthält, steht, stand, gestern, letzte nachricht, letzten nachricht, vorher, früher, protokoll, war, lautete, hieß, las,
  venait, vient, lisais, vu, vue, écrit, dit, envoyé, contenait, contient, hier, dernier message, précédent, précédente, reçu, affiche, était, disait,
  escribió, escrito, dijo, dice, envió, enviado, contenía, contiene, ayer, último mensaje, anterior, recibí, recibido, muestra, era, fue, decía,
  escreveu, escrito, disse, diz, enviou, enviado, continha, contém, ontem, última mensagem, anterior, foi, mostra,
  scrisse, scritto, disse, detto, dice, inviato, conteneva, contiene, ieri, ultimo messaggio, precedente, mostra, era,
  geschreven, zei, stuurde, bevatte, bevat, gisteren, vorige, napisał, powiedział, wysłał, zawierał, zawiera, wczoraj, poprzedni, skrev, sade, skickade, innehöll,
  написал, написала, сказал, сказала, отправил, отправила, содержало, содержал, содержит, вчера, прошлое сообщение, последнее сообщение, предыдущее, было, был, говорится, получил, написано,
  写道, 写了, 说过, 说：, 发送了, 发了, 包含, 上一条, 上一个, 昨天, 之前, 显示, 收到, 日志, 里有, 書いた, 書いて, 言った, 送った, 送信した, 含まれ, 前回, 昨日, 表示, 受け取, ログ, でした, ありました, 썼, 말했, 보냈, 포함, 어제, 이전, 받았, 로그`);

/** Negates. */
export const NEGATION = vocabulary(`
  not, never, don't, dont, doesn't, didn't, won't, wont, wouldn't, shouldn't, can't, cannot, couldn't, mustn't, isn't, aren't, wasn't, avoid, avoids, refuse, refused, refuses, decline, declined, refrain,
  without, instead of, rather than, no longer, no, stop, forbid, forbidden, prohibited, ignore, ignored, ignoring, skip, nor, neither, none, beware, careful, warning, danger, dangerous, harmful, unsafe, destructive,
  nicht, nie, niemals, kein, keine, keinen, keinem, keiner, ohne, statt, anstatt, vermeide, vermeiden, weigere, verboten, vorsicht, warnung, gefährlich,
  ne, n'exécute, n'exécutez, n'envoyez, n'envoie, n'utilisez, n'utilise, pas, jamais, aucun, aucune, sans, éviter, évite, évitez, refuse, interdit, plutôt que, au lieu, attention, dangereux,
  nunca, jamás, evita, evite, evitar, sin, en vez, en lugar, tampoco, prohibido, cuidado, peligroso,
  não, jamais, sem, em vez, proibido, perigoso, non, mai, evitare, senza, invece, vietato, attenzione, pericoloso,
  niet, nooit, geen, zonder, nie, nigdy, nie wolno, bez, inte, aldrig, utan, ikke, aldri, uden, uten, älä, ei, nikdy, ne,
  değil, asla, olmadan, sakın, không, đừng, chưa, chớ, jangan, tidak, bukan, لا, لن, أبدا, नहीं, मत,
  не, нельзя, никогда, без, избегай, избегайте, вместо, запрещено, отказываюсь, опасно, осторожно, ніколи,
  不要, 不会, 不會, 不能, 不可, 不应, 不應, 不得, 不是, 不该, 别, 別, 切勿, 请勿, 請勿, 勿, 绝不, 絕不, 从不, 从未, 禁止, 拒绝, 拒絕, 避免, 危险, 小心,
  nem, soha, tilos, en aio, en suorita, en tee, en aja, en lähetä, δεν, μην, ποτέ, όχι, לא, אל, אין, לעולם, ไม่, อย่า, ห้าม, garderai, garde de,
  çalıştırmayacağım, göndermeyeceğim, yapmayacağım, etmeyeceğim, kullanmayacağım, çalıştırmam, çalıştırmayın, göndermeyin, çalıştırma,
  ない, ません, するな, 禁止, 避け, 決して, 危険, 않, 마세요, 말아, 마십시오, 금지, 절대, 위험`);

/** Forbids the reader an action, or announces that the model avoids it. */
export const PROHIBITION = vocabulary(`
  never, do not, don't, dont, will not, won't, wont, must not, mustn't, should not, shouldn't, cannot, can't, would not, wouldn't, may not, not going to, refuse to, decline to, avoid, refrain, not be, instead of, rather than, ignore, beware,
  niemals, nicht ausführen, nicht senden, nicht verwenden, werde nicht, darf nicht, dürfen nicht, sollte nicht, soll nicht, vermeide, vermeiden, führe nicht, sende nicht, nie,
  jamais, ne pas, n'exécutez pas, n'envoyez pas, n'utilisez pas, ne vais pas, ne faut pas, ne doit pas, ne devez pas, évitez, éviter,
  nunca, jamás, no ejecutes, no envíes, no ejecutar, no enviar, no uses, no voy a, no debes, no se debe, no hay que, evita, evite,
  não execute, não envie, não vou, não deve, não use, non eseguire, non inviare, non devi, mai, nooit, nigdy,
  никогда, нельзя, не запускай, не запускайте, не отправляй, не отправляйте, не буду, не стоит, не надо, не выполняй, не выполняйте, не используй,
  不要, 不会, 不會, 不能, 不可, 不应, 不得, 别, 切勿, 请勿, 勿, 绝不, 禁止, 拒绝, 避免, しないで, ないでください, してはいけ, てはならない, しません, 禁止, 마세요, 마십시오, 말아, 않겠, 금지, 절대`);

/** Refuses in the first person, where a verb of the same sentence would otherwise announce an action. */
export const REFUSAL = vocabulary(`
  garderai, çalıştırmayacağım, göndermeyeceğim, yapmayacağım, etmeyeceğim, kullanmayacağım, en aio, nem fogom, nem fogok, δεν πρόκειται, δεν θα, לא אריץ, לא אשלח, לא אבצע, จะไม่, 않겠, 않을`);

/** Withdraws an earlier statement. */
export const RETRACTION = vocabulary(`
  scratch that, strike that, forget that, forget it, forget the above, never mind, nevermind, on second thought, on second thoughts, wait no, no wait, actually no, actually don't, disregard, ignore that, ignore the above, take that back, cancel that, undo that, nothing was run, nothing was executed, nothing was called, nothing has been run, nothing has been executed, nothing has been called, nothing has actually been, not actually called, not actually run, not actually executed,
  vergiss das, vergessen sie das, moment nein, doch nicht, lieber nicht, nichts ausgeführt, nichts aufgerufen, oubliez ça, oublie ça, laisse tomber, en fait non, attendez non, rien n'a été, rien exécuté, olvídalo, olvida eso, mejor no, espera no, no se ha ejecutado, no he ejecutado, esqueça, espera não, lascia perdere, anzi no, aspetta no,
  vergeet dat, toch niet, zapomnij, jednak nie, glöm det, nej vänta, забудь, забудьте, отмена, постойте, ничего не выполнено, ничего не запускал, хотя нет, boş ver, vazgeçtim, 算了, 等等不, 尚未执行, 没有执行, 没有实际, 並未執行, 并未执行, 还是不, やっぱりやめ, 忘れて, 実行していません, 何も実行, 実行されていません, 잊어, 아니다`);

/** Refers to something next to the sentence. */
export const REFERENCE = vocabulary(`
  this, these, that, those, following, below, above, call, calls, such, here, it,
  dies, diese, diesen, dieser, dieses, folgende, folgenden, folgendes, oben, unten, aufruf,
  ceci, cela, cet, cette, suivant, suivante, voici, appel, ça, c'est, ci dessus, ci dessous, l'appel,
  esto, este, esta, eso, siguiente, llamada, arriba, lo anterior, isto, isso, seguinte, chamada, questo, questa, seguente, chiamata, quanto sopra,
  deze, volgende, następujący, detta, denna, следующее, следующий, следующую, это, этот, эту, этого, ниже, выше, вот, такой, вызов,
  这, 這, 以下, 下面, 此, 如下, 上面, 以上, 上述, 调用, 次の, 以下, これ, この, 上記, それ, 呼び出し, 다음, 이것, 이 , 위의, 호출`);

/** Names a call, or the text that asks for it. */
export const CALL_NAMES = vocabulary(`
  tool, tools, function, functions, command, commands, invocation, invocations, request, requests, instruction, instructions,
  text, page, website, email, document, message, prompt, comment, content, contents, injection, suggestion`);

/** The subject of a sentence about the text before it. */
export const BACK_REFERENCE = vocabulary(`
  this, that, these, those, it, above, here, such, both, the first, the second, the former, the latter, dies, das, diese, dieser, dieses, genau, oben, cela, ceci, c'est, ça, esto, eso, esta, este, lo anterior, isto, isso, questo, questa, ciò,
  dit, dat, deze, detta, denna, det, dette, det här, это, этот, эта, выше, це, bu, şu, đây, ini, itu, هذا, هذه, यह, वह, 这, 這, 上面, 以上, 上述, これ, 上記, それ, 이것, 위의, 이는`);

/** Verbs that take a call as their object. */
export const ACTING = vocabulary(`
  run, runs, send, sends, execute, executes, use, copy, call, make, paste, submit, type, trust, do it, ausführen, senden, verwenden, kopieren, exécuter, envoyer, utiliser, ejecutar, enviar, usar, executar, eseguire, inviare, usare,
  запускать, запускай, запускайте, выполнять, отправлять, uruchamiaj, wysyłaj, köra, skicka, 运行, 執行, 执行, 发送, 使用, 実行, 送信, 使用, 실행, 보내`);

/** First person; together with a present-tense verb it announces an action. */
export const FIRST_PERSON = vocabulary(`
  i'm, i am, ich, jag, jeg, ik, je, j'y, я, eu, io, yo, tôi, saya, aku, ben, मैं, أنا`);

/** Announces the model's own next action. */
export const ANNOUNCEMENT = vocabulary(`
  let me, let's, lets, let us, i'll, i will, i'm going, i am going, going to, gonna, i need to, i should, i must, i have to, i want to, i'd like to, i am now, i'm now, now i, next i, first i, then i, so i, i now, i shall,
  right away, will do, doing that, doing it, working on it, give me a moment, just a moment, one second, time to, here goes, here it goes, here we go, last step, next step, first step, on my way, one moment, hold on, on it, allow me,
  ich werde, ich schaue, ich prüfe, ich lese, ich suche, ich führe, ich rufe, ich öffne, ich starte, ich sehe, ich melde, ich erledige, lass mich, lassen sie mich, schauen wir, zuerst, als nächstes, jetzt, nun,
  je vais, je vérifie, je regarde, je lis, je lance, je cherche, je m'en occupe, je vous tiens, je te tiens, laissez moi, laisse moi, permettez moi, voyons, vérifions, maintenant, d'abord, tout de suite,
  voy a, déjame, déjeme, permíteme, permítame, vamos a, ahora, primero, reviso, busco, ejecuto, consulto, a continuación voy,
  vou, deixe me, deixa eu, permita me, vamos, agora, primeiro, lasciami, mi permetta, vado a, controllo, verifico, ora, adesso, prima cerco, cerco,
  ik ga, laat me, laat mij, eerst, nu, zaraz, sprawdzę, pozwól, najpierw, jag ska, låt mig, jeg vil, la meg, lad mig, şimdi, bakayım, kontrol edeyim, để tôi, tôi sẽ, biar saya, saya akan, mari, سأقوم, دعني,
  сейчас, давайте, давай, посмотрю, проверю, сначала, попробую, позвольте, запускаю, выполняю, проверяю, читаю, ищу, зараз, спочатку,
  我来, 我來, 让我, 讓我, 我将, 我將, 我会, 我會, 我先, 我去, 我要, 我需要, 我正在, 现在, 現在, 首先, 接下来, 接下來, 正在, 先看, 好的，,
  確認します, 調べます, 実行します, 見てみ, 検索します, 読みます, します, しましょう, まず, これから, では、, 今から, 겠습니다, 할게요, 해볼게요, 먼저, 지금, 확인하`);

/** Verbs of explaining, which turn "Let me …" into an explanation. */
export const EXPLAINING = vocabulary(`
  show, give, quote, repeat, explain, describe, illustrate, demonstrate, tell, cite, mention, present, outline, document, say, recap, summarize, summarise, walk you, point out, warn, note,
  zeige, zeigen, gebe, erkläre, erklären, beschreibe, beschreiben, zitiere, zitieren, montrer, donner, expliquer, décrire, citer, mostrar, dar, explicar, describir, citar, descrever, mostrare, spiegare, citare,
  laten zien, uitleggen, pokazać, visa, förklara, показать, покажу, объясню, приведу, процитирую, описать, объяснить, 展示, 解释, 解釋, 说明, 說明, 引用, 描述, 告诉, 見せ, 説明, 引用, 示し, 紹介, 보여, 설명, 인용`);

/** Objects of an explanation whose subject is a call. */
export const EXPLAINED = vocabulary(`
  example, examples, sample, format, syntax, call, calls, template, snippet, looks, look, message, illustration, notation, form, what happens, what happened, how, why, mistake, problem, danger,
  beispiel, aufruf, format, vorlage, nachricht, exemple, appel, modèle, ejemplo, llamada, formato, exemplo, chamada, esempio, chiamata, voorbeeld, aanroep, przykład, wywołanie, exempel, anrop, пример, вызов, формат, как, 例子, 示例, 格式, 调用, 例, 形式, 呼び出し, 예시, 예제, 형식, 호출`);

/** Makes an announced action conditional. */
export const CONDITION = vocabulary(`
  would, could, might, if, unless, in case, assuming, provided that, in the event, should the, should it, should this, should that, should you, once you, when you, after you, until you, würde, könnte, wenn, falls, sobald, si, pourrait, serait, podría, sería, cuando, se, poderia, potrebbe, бы, если, когда, 如果, 假如, 的话, もし, たら, 만약, 면`);

/** Waits for the reader's consent. */
export const CONSENT = vocabulary(`
  once you confirm, once you approve, when you confirm, when you approve, after you confirm, after you approve, if you confirm, if you approve, if you agree, pending your, awaiting your, for your review, for review, waiting for your,
  dein einverständnis, deine zustimmung, ihre zustimmung, deine freigabe, ihre freigabe, ton accord, tu permiso, su permiso, tu aprobación, su aprobación, tuo consenso, suo consenso, tua approvazione, sua aprovação,
  can you confirm, could you confirm, confirm that i, confirm whether, your ok, your okay, your permission, your approval, your consent, your confirmation, your go ahead, please confirm, confirm first, approve this, your answer, reply yes, say yes, answer yes, yes or no, let me know which, tell me which,
  deine bestätigung, ihre bestätigung, bitte bestätigen, bestätige bitte, votre accord, veuillez confirmer, confirmez, tu confirmación, su confirmación, por favor confirma, por favor confirme, sua confirmação, per favore conferma, conferma prima,
  onaylayın, onaylar mısınız, подтвердите, подтверди, ваше согласие, 请确认, 確認してください, 同意, 승인, 확인해 주세요`);

/** Names the parts of a call, which only occurs in text about calls. */
export const CALL_PARTS = vocabulary(`
  tag, tags, token, tokens, tool call, tool calls, function call, arguments, argument, parameter, parameters, parser, parsed, parse, json, markup, server, runtime, proxy, client, regex, string`);

/** Words that cannot end a sentence, because their object must follow. */
export const OPEN_ENDS: ReadonlySet<string> = new Set(
  `of with like as by for from than to into onto against about between after before in on at via per
  is are was were be been being am that which who the a an this these such every each any some no and or but nor because since although while whether if
  type types paste enter copy send sends write writes prints emit emits feeds shows reads ran called calling says mean means compare try
  contain contains produce produces returns replies accept accepts expect expects parses treat treats consider considers takes gives submits
  wie mit von als für aus bei nach ist sind war waren der die das ein eine einen dass und oder aber weil schreibe schreibt sende sendet führe tippe gib vergleiche siehe
  de du des avec comme pour par est sont était que qui le la les un une et ou mais écrivez tapez envoyez comparez voir
  con como por para del es son era que el la los las una y o pero escribe escribes envía ejecuta ejecutes compara ver
  com como são foi o os uma e ou mas escreva envie compare di come è sono che il lo gli una ma scrivi invia confronta
  с как для от это что и или но из в на по напиши напишите отправь отправьте введи введите сравни сравните`.split(
    /\s+/,
  ),
);

/** Asks for permission or advice. */
export const QUESTION = vocabulary(`
  should i, shall i, do you want me, would you like me, want me to, may i, can i, could i, is it ok, is it okay, ok to, okay to, would it help, should we, shall we, is this, is that, did you mean, what about, how about, would this, does this, will this, what does, what happens, why does, why did,
  soll ich, darf ich, kann ich, möchtest du, möchten sie, was passiert, warum, dois je, puis je, voulez vous, est ce que, pourquoi, debo, puedo, quieres que, quiere que, debería, por qué, devo, posso, quer que, vuoi che, perché, moet ik, zal ik, czy mam, ska jag,
  мне выполнить, мне запустить, мне отправить, запустить ли, можно ли, стоит ли, почему, 要我, 是否, 需要我, 可以吗, 要不要, 为什么, 吗, ましょうか, でしょうか, ますか, なぜ, 할까요, 을까요, 왜`);
