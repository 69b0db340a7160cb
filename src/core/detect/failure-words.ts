/**
 * The cheap question before the rules about wording: does a stretch of text hold the beginning of any word that a
 * failure is told with? Most results hold none, and are done after one look at each character. A beginning that is
 * missing here switches its rules off; one too many only costs time.
 */

/** Words of the rules about the last lines of a program's output. */
const IN_OUTPUT =
  "error err! err_ errno except exceed fail fatal fault cann can't could denied refused not no_ invalid miss unkn unrec unexp panic segm bus kill abort core out_ unca unha tim curl nin cma npm comp exit return key cau ora- sql cat full nod int term can already syn is_ file oper";

/** Words of the rules about answers and first lines. */
const IN_ANSWER =
  "error err exc fail fau unable can could den ref for blo rej res pro dis una aut not inv mis mus unk uns unr une ill mal und bad no_ inc wro amb tim dea rat too quo thr ove con net soc dns ssl tls fat pan seg bus kil abo cor unc unh tra sor oop who unf int dec ter req ins eno eac epe eis eex ein eco eti epi ebu emf ero eho eai exd elo ena rpc mcp jso grp sql ora suc sta out res ok_ ok: val htt cod alr sto mat occ mod cha fir rea rob fet acc ser ups gat pro ret doe has exi lar fil dir pat feh usa use mul was che tar";

function table(words: string): Uint8Array {
  const slots = new Uint8Array(1 << 15);
  for (const word of words.split(" ")) {
    slots[slot(word.replace("_", " "), 0)] = 1;
  }
  return slots;
}

/** Three letters, five bits each; marks and capitals fold onto letters, which only costs a second look. */
function slot(text: string, at: number): number {
  return ((text.charCodeAt(at) & 31) << 10) | ((text.charCodeAt(at + 1) & 31) << 5) | (text.charCodeAt(at + 2) & 31);
}

/** For {@link holdsWord}: words of failing programs. */
export const OUTPUT_WORDS: Uint8Array = table(IN_OUTPUT);
/** For {@link holdsWord}: words of failing answers. */
export const ANSWER_WORDS: Uint8Array = table(IN_ANSWER);

/** Does such a word start between these places? A 4 or 5 with two digits behind it counts, and so does every other script. */
export function holdsWord(words: Uint8Array, text: string, from: number, to: number): boolean {
  let before = 32;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) {
      if (before < 65 && words[slot(text, at)] === 1) {
        return true;
      }
    } else if (code >= 65 && code <= 90) {
      // A capital behind a small letter starts a word too: `ValueError`.
      if ((before < 65 || before >= 97) && words[slot(text, at)] === 1) {
        return true;
      }
    } else if (code > 0x2ff || (code === 42 && before === 42)) {
      return true;
    } else if ((code === 52 || code === 53) && before < 48 && isNumber(text, at + 1)) {
      return true;
    }
    before = code === 95 ? 32 : code;
  }
  return false;
}

function isNumber(text: string, at: number): boolean {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return tens >= 48 && tens <= 57 && ones >= 48 && ones <= 57;
}
