/** Stems of words that occur in reports of failures. Compared by their first 6 letters. */
export const FAILURE_STEMS: readonly string[] =
  "error errors errored fail fails failed failure failing fatal denied refused cannot unable invalid missing unknown unexpected exception conflict reject abort aborts aborted abortando abortado panic panicked undefined unsupported forbidden unauthorized assert fehler erreur impossible errore erro".split(
    " ",
  );

/** Words that mean a failure only together with others; in any line of a report they count. */
export const DENIAL_WORDS: readonly string[] = "not could nicht".split(" ");

/** Reports in scripts and languages whose words are not compared by letters. */
export const FOREIGN_FAILURE: RegExp =
  /fehler|n\u00e3o|\u043e\u0448\u0438\u0431|\u043d\u0435 \u0443\u0434\u0430|\u043d\u0435 \u043d\u0430\u0439|\u043d\u0435\u0442 |\u30a8\u30e9\u30fc|\u3067\u304d\u307e\u305b\u3093|\u3042\u308a\u307e\u305b\u3093|\u9519\u8bef|\u5931\u8d25|\u65e0\u6cd5|\u4e0d\u5b58\u5728|\uc624\ub958|\uc2e4\ud328|\uc5c6/i;
