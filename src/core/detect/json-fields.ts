/** Quotes of JSON, and of Python's notation. */
const Q = `["']`;

/** A field whose value means failure, success or an exit status; JSON and Python's repr alike. One alternative per meaning. */
export const FIELD: RegExp = new RegExp(
  [
    // 1: error-like key with a value that is not "nothing"
    `${Q}(?:(?:user_?|api_?|server_?|validation_?|request_?|graphql_?|tool_?)?errors?|err|exception|error[_ ]?messages?|err(?:or)?_?msg|error_?description|fehler|erreur|erro|errore|error_?text|error_?details?|fault|traceback)${Q}\\s*:\\s*(?!null|none|false|undefined|${Q}{2}|\\[\\s*\\]|\\{\\s*\\}|-?\\d|${Q}(?:none|no|null|ok|success|n/?a|false|0|undefined)?${Q})(["'{[t])`,
    // 2: a success word that is false
    `${Q}(?:success|succeeded|successful|ok|is_?success|is_?ok|erfolg|succ[e\u00e8]s|[e\u00e9]xito|sucesso|successo)${Q}\\s*:\\s*(${Q}?false\\b)`,
    // 3: a failure word that is true
    `${Q}(?:is_?error|has_?error|failed|timed_?out|timeout|permission_?denied|not_?found|cancell?ed|interrupted|aborted)${Q}\\s*:\\s*(true\\b)`,
    // 4: a status in words
    `${Q}(?:status|result|type|response)${Q}\\s*:\\s*${Q}(error|err|fail|failed|failure|exception|false|ko|nok|not_ok|unauthori[sz]ed|forbidden|fehler|erreur|erro|errore|\u5931\u8d25|\u9519\u8bef|\u30a8\u30e9\u30fc)${Q}`,
    // 5: a status in numbers
    `${Q}(?:status_?code|http_?status|http_?code|response_?code|ret_?code|status|code|cod|codigo|c\u00f3digo|error_?code)${Q}\\s*:\\s*${Q}?([45]\\d\\d)\\b(?![.\\d])`,
    // 6: an exit status
    `${Q}(?:exit_?code|exit_?status|return_?code|returncode)${Q}\\s*:\\s*${Q}?(-?\\d{1,10})\\b`,
    // 7: a text field that starts like a failure
    `${Q}(?:result|output|content|text|response|message|msg|observation|answer|detail|reason|stderr|info)${Q}\\s*:\\s*${Q}((?:\\w+ ?){0,3}?(?:error(?=\\s*[:!"']| (?:while|when|during|in|executing|calling|occurred|from|fetching))|exception(?=\\s*[:!"'])|failed to|failed(?=["':.])|failure:|traceback|unable to|cannot |could not |invalid |not found|permission denied|access denied|unauthori[sz]ed|forbidden(?=["':.])|(?:invalid|missing|unknown|unsupported|expired|forbidden)_\\w)(?:\\b|(?<=\\s)|(?<=_\\w)))`,
    // 8: a success word that is true
    `${Q}(?:success|succeeded|successful|ok|is_?success|is_?ok)${Q}\\s*:\\s*(${Q}?true\\b)`,
    // 9: the protocol's own flag inside the text
    `${Q}is_?error${Q}\\s*:\\s*(false\\b)`,
    // 10: an error field that says there is none
    `${Q}error${Q}\\s*:\\s*(null|none|false|${Q}{2}|\\[\\s*\\]|\\{\\s*\\})`,
    // 11: an error's number or its name in capitals
    `${Q}(?:err_?code|err_?no|errno|error_?code|error_?no|error_?number)${Q}\\s*:\\s*${Q}?([1-9-]\\d{0,9}|(?!OK\\b|NULL\\b|FALSE\\b|UNDEFINED|NONE\\b|NO_ERROR|SUCCESS)[A-Z][A-Z0-9_]{3,60})${Q}?(?=\\s*[,}])`,
    // 12: what failed validation, as a list of places and messages
    `${Q}details?${Q}\\s*:\\s*(\\[\\s*\\{\\s*${Q}(?:loc|type|msg)${Q}\\s*:)`,
    // 13: a failure's name in capitals, where an answer puts its own
    `${Q}(?:name|code|type|reason|status|category)${Q}\\s*:\\s*${Q}((?:[A-Z]{2,20}_){1,4}(?:ERROR|FAILURE|FAILED|DENIED|EXPIRED|FOUND|EXCEEDED|INVALID|MISMATCH|UNAUTHORIZED|UNAVAILABLE)|(?:INVALID|MISSING|UNKNOWN|UNSUPPORTED|UNAUTHORIZED|FORBIDDEN)(?:_[A-Z]{2,20}){1,4})${Q}`,
  ].join("|"),
  "gi",
);
