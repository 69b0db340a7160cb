/**
 * The cheap question before the rules about wording: does a stretch of text hold the beginning of any word that a
 * failure is told with? Most results hold none, and are done after one look at each character. A beginning that is
 * missing here switches its rules off; one too many only costs time.
 */

/** Words of the rules about the last lines of a program's output; four characters each, `_` for a blank. */
const IN_OUTPUT =
  "erro err! err_ exce fail fata cann can' coul deni refu not_ no_s inva miss unkn unre unex pani segm bus_ kill abor core out_ unca unha time curl ninj cmak npm_ comp exit keyb caus ora- sqls cate full node inte term canc synt exis is_a auto conf main meth unab temp unde exec mism rede stac back call test the_";

/** Words of the rules about answers and first lines. */
const IN_ANSWER =
  "erro err! err_ exce fail faul unab cann can' can_ coul deni refu forb bloc reje rest proh disa unau auth not_ inva miss must unkn unsu unre unex unav ille malf unde bad_ no_s no_t no_c no_r no_e no_m no_l inco wron ambi time dead rate too_ quot thro conn netw sock dns_ ssl_ tls_ fata pani segm bus_ kill abor core unca unha trac sorr oops whoo unfo canc inte decl term requ insu max_ sock brok chos skip cras died took out_ are_ same wron erro nich kein acce impo intr fall falh niet misl kann konn enoe eacc eper eisd enot eexi einv econ etim epip ebus emfi enos erof ehos eai_ exde eloo enam ora- sqls fals usag alre exis sinc occu matc firs robo does don' gran prob issu fehl erre vali down offl unre unav over no_u no_i no_p no_f no_o no_a no_b no_d no_g no_h no_j no_k no_n no_q no_v no_w";

const TABLE_BITS = 14;

function table(words: string): Uint8Array {
  const slots = new Uint8Array(1 << TABLE_BITS);
  for (const word of words.split(" ")) {
    // A blank and a `_` fold onto different letters, and some words need either.
    slots[slot(word, 0)] = 1;
    slots[slot(word.replace("_", " "), 0)] = 1;
  }
  return slots;
}

/** Four letters, five bits each, folded; marks and capitals fold onto letters, which only costs a second look. */
function slot(text: string, at: number): number {
  const four =
    ((text.charCodeAt(at) & 31) << 15) |
    ((text.charCodeAt(at + 1) & 31) << 10) |
    ((text.charCodeAt(at + 2) & 31) << 5) |
    (text.charCodeAt(at + 3) & 31);
  return (four ^ (four >> 7)) & ((1 << TABLE_BITS) - 1);
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
    } else if (code > 0xbf || (code === 42 && before === 42)) {
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
