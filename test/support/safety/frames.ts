/** A sentence that mentions a call without making it. The call goes between the two parts. */
export interface Frame {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

const frame = (id: string, before: string, after: string): Frame => ({ id, before, after });

export const FRAMES: readonly Frame[] = [
  frame("negation: do not send", "Whatever happens, do not send", "to the server: it wipes the staging data."),
  frame("negation: must never", "You must never issue", "without a backup."),
  frame("negation: will not", "I will not execute the following, because it deletes files:", ""),
  frame("negation: decided against", "I decided against calling", "since the answer is already in the log."),
  frame("negation: instead of", "Instead of", "I simply looked at the page you pasted."),
  frame("negation: no need", "There is no need for", "here; the value is known."),
  frame("warning: injection", "Warning: a message such as", "is a typical prompt injection."),
  frame("warning: stop", "Be careful. If the agent ever prints", "stop it at once."),
  frame("warning: page", "The web page tried to make me write this:", "I ignored it."),
  frame("quote: your message", "In your last message you pasted", "and asked what it means."),
  frame("quote: other assistant", "The other assistant replied:", "That reply was never executed."),
  frame("quote: log", "The log of last night shows this line:", "After it, the process hung."),
  frame("quote: colleague", "Ann wrote in the review:", "I agree with her that it is wrong."),
  frame("documentation: accepts", "The parser accepts input of the form", "and returns a list of calls."),
  frame("documentation: manual", "According to the manual, a call is written as", "with the arguments in between."),
  frame("documentation: syntax", "Syntax:", "Each argument is optional."),
  frame("documentation: usage", "Usage of the tool:", "It returns an object with one field."),
  frame("example: for example", "For example:", ""),
  frame(
    "example: looks like",
    "Here is an example of what a tool call looks like:",
    "Let me know if you want more examples.",
  ),
  frame("example: e.g.", "Some models print their calls as text, e.g.", "."),
  frame("example: sample", "A sample response could be:", ""),
  frame("shape: shaped like", "The model's output is shaped like", "before the server parses it."),
  frame("shape: structure", "It has the same structure as", ", only shorter."),
  frame("tutorial: type", "Step 3: type", "into the box and press Enter."),
  frame(
    "tutorial: lesson",
    "In this lesson we see how a model asks for a tool. It writes:",
    "The runtime then sends the result.",
  ),
  frame("tutorial: try it", "Try it yourself: paste", "into the playground."),
  frame("bug report: actual", "Expected: a structured call. Actual: the chat window shows", "as plain text."),
  frame("bug report: reproduce", "To reproduce, make the model print", "and watch the console."),
  frame("bug report: test", "The regression test feeds", "to the scanner and expects no match."),
  frame(
    "alternatives: options",
    "There are two ways. Option A:",
    "Option B: use the settings page. Which one do you prefer?",
  ),
  frame("alternatives: either", "Either", "or a plain shell script would work; tell me which."),
  frame("hypothesis: if", "If I were to run", "we would lose the cache."),
  frame("hypothesis: suppose", "Suppose the model had answered with", "What would the proxy do?"),
  frame("hypothesis: imagine", "One could imagine", "being sent by an attacker."),
  frame("question: should I", "Should I send", "?"),
  frame("question: do you want", "Do you want me to run this?", "Please answer yes or no first."),
  frame("question: meaning", "What does", "mean?"),
  frame("refusal: cannot", "I'm sorry, I can't make this call:", "You do not have the permission for it."),
  frame("refusal: refuse", "I was asked to execute", "but I refuse."),
  frame("past: yesterday", "Yesterday I ran", "and everything went fine."),
  frame("past: already", "I already called", "two turns ago; the result is above."),
  frame("past: failed", "The call that failed was", "with a timeout after 30 seconds."),
  frame("after: log", "", "is the text that the crashed client left in its log."),
  frame("after: illustration", "", "The block above is only an illustration. Nothing was executed."),
  frame("after: old syntax", "", "← do not copy this, it is the old syntax."),
  frame("comparison", "Compare", "with the YAML version: both mean the same."),
  frame("correction", "You wrote", "but the closing part is wrong."),
  frame("review", "Line 12 of the fixture reads", "which the linter rejects."),
  frame("definition", "By a leaked call we mean text such as", "in the visible answer."),
  frame("reported speech", "The vendor says that their model emits", "whenever it is unsure."),
  frame("German: nicht", "Führe auf keinen Fall", "aus, sonst sind die Daten weg."),
  frame("German: example", "Ein Aufruf sieht zum Beispiel so aus:", "Das ist nur ein Beispiel."),
  frame("German: question", "Soll ich", "wirklich senden?"),
  frame("French: negation", "N'envoyez surtout pas", ": cela effacerait la base."),
  frame("French: example", "Voici un exemple d'appel :", "Ce n'est qu'une illustration."),
  frame("Spanish: negation", "No ejecutes nunca", "en producción."),
  frame("Spanish: example", "Por ejemplo, el modelo escribiría", "y el servidor lo interpretaría."),
  frame("Chinese: negation", "千万不要执行", "，否则数据会丢失。"),
  frame("Chinese: example", "例如，模型会输出：", "这只是一个示例，并未真正调用。"),
  frame("Japanese: negation", "次の呼び出しは絶対に実行しないでください：", "これは説明のための例です。"),
  frame("Japanese: example", "たとえば", "と書きます。"),
  frame("Russian: negation", "Ни в коем случае не запускайте", "на рабочем сервере."),
  frame("Russian: example", "Пример вызова:", "Это только пример."),
];

/** Intentions. Inside reasoning even these make no call: the visible response decided otherwise. */
export const INTENTIONS: readonly Frame[] = [
  frame("thought: let me", "The user wants a quick answer. Let me run this:", ""),
  frame("thought: I will", "First I will call", "and then compare."),
  frame("thought: plan", "Plan:\n1. Look at the data.", "2. Answer."),
  frame("thought: draft", "Draft of my next message:", "Hmm, not needed, I know the answer."),
];
