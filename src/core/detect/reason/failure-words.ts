/** Stems of words that occur in reports of failures. */
export const FAILURE_STEMS: readonly string[] =
  "error fail fatal denied refused cannot can't couldn't unable invalid missing unknown unexpected exception conflict reject abort panic undefined unsupported forbidden unauthori assert".split(
    " ",
  );

/** Words of reports in any line, in the languages of common programs. */
export const FAILURE_WORDS: RegExp = new RegExp(
  `${FAILURE_STEMS.join("|")}|\\bnot\\b|not found|no such|could not|exit status [1-9]|would (?:be |re)|fehler|nicht|erreur|impossible|errore|erro\\b|n\u00e3o|\u043e\u0448\u0438\u0431|\u043d\u0435 \u0443\u0434\u0430|\u043d\u0435 \u043d\u0430\u0439|\u043d\u0435\u0442 |\u30a8\u30e9\u30fc|\u3067\u304d\u307e\u305b\u3093|\u3042\u308a\u307e\u305b\u3093|\u9519\u8bef|\u5931\u8d25|\u65e0\u6cd5|\u4e0d\u5b58\u5728|\uc624\ub958|\uc2e4\ud328|\uc5c6`,
  "i",
);
