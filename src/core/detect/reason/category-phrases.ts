import type { Category } from "../../model/outcome.ts";

/**
 * Phrases of messages by category, in order of precedence: if a line contains phrases of several categories, the first
 * one decides. See {@link PhraseTable} for the notation. Quoted text is removed before the search.
 */
export const CATEGORY_PHRASES: readonly (readonly [Category, string])[] = [
  [
    "cancelled",
    `user rejected, user declined, user denied, user cancelled, user canceled, user interrupted, user aborted
    user doesn't want, user does not want, interrupted by user, interrupted by the user, cancelled by, canceled by
    aborted by user, aborted by the user, rejected by user, rejected by the user, was cancelled, was canceled, was aborted
    was interrupted, been cancelled, been canceled, been aborted, been interrupted, operation cancelled, operation canceled
    operation aborted, command cancelled, command canceled, command aborted, request cancelled, request canceled
    user chose, user skipped, user said no, halted by user, closed the dialog, pressed cancel, dismissed by, keyboard interrupt, keyboardinterrupt, sigint, abort error, tool use was rejected, interrupt requested, due to user request`,
  ],
  [
    "timeout",
    `timed out, timed-out, time out, timeout, time-out, time limit, timeoutexpired, took too long, deadline exceeded
    execution exceeded, exceeded … seconds, exceeded … ms, took more than, took longer than, deadline has elapsed, no response within, max-time, timeouterror, exceeded timeout
    operation too slow, zeitüberschreitung*, zeitlimit, délai d'attente, délai dépassé, délai expiré, tiempo de espera
    tempo esgotado, tempo limite, tempo scaduto, время ожидания, тайм-аут, таймаут, 超时, 逾時, タイムアウト, 시간 초과, 시간초과
    przekroczono czas, limit czasu
    zeitablauf, délai d’attente, expiration du délai, conexão expirou
    nobody answered, never appeared, did not respond within, no reply within, did not answer within`,
  ],
  [
    "rate_limited",
    `zu viele anfragen, trop de requêtes, demasiadas solicitudes, demasiadas peticiones, troppe richieste, muitas solicitações, muitas requisições, слишком много запросов, リクエストが多すぎ, 请求过多, 过于频繁, 频率限制, 요청이 너무 많
    rate limit*, rate-limit*, ratelimit*, too many requests, too quickly, quota, throttl*, resource exhausted, overloaded
    usage limit, request limit, reached … limit, slow down, toomanyrequests, concurrency limit
    daily limit, per day and you have, budget exhausted, daily allowance, limite diári*, límite diario, limite giornaliero, limite quotidien*, tageslimit, суточный лимит, 每日限额`,
  ],
  [
    "auth",
    `unauthorized, unauthorised, not authenticated, unauthenticated, host key verification, publickey, access denied for user
    locate credentials, find credentials, load credentials, invalid auth*, invalid grant, authentication failed, authentication failure, authentication required, authentication error, authentication is, requires authentication, authentication token, authentifizierung, authentification, logged in, login, credential*, token is invalid, token invalid, get a token, password authentication failed, api key, apikey
    invalid token, missing token, expired token, bad token, invalid access token, invalid credentials, bad credentials
    wrong password, wrongpass, noauth, invalid username, invalid password, incorrect password, incorrect username, no password supplied, invalid key, not subscribed
    token … expired, session … expired, credentials … expired, token … revoked, could not authenticate, could not read username
    could not read password, reauthenticat*, login required, log in first, must be authenticated, must be logged in
    please log in, please login, please sign in, need to log in, not logged in, not signed in, requires login, bearer
    auth login, requires a login, jwt, signature mismatch, signature does not match, no active account, active account
    nicht angemeldet, anmeldung fehlgeschlagen, authentifizierung fehlgeschlagen, non authentifié, échec de l'authentification
    no autenticado, autenticación, não autenticado, falha de autenticação, autenticazione, не авторизован, аутентификац*
    未登录, 未授权, 认证失败, 認証, 로그인이 필요, 인증
    (28000), anmeldedaten, zugangsdaten, credenciales, credenziali, credenciais, contraseña incorrecta, senha incorreta, mot de passe incorrect, password errata, inicio de sesión, autenticarse, autenticarsi`,
  ],
  [
    "permission_denied",
    `permission denied, permissions denied, permission error, denied, forbidden, not permitted, not allowed, isn't allowed, not authorized, not authorised
    unauthorized operation, haven't granted, has not granted, access denied, access is denied, blocked by, was blocked, is blocked, sandbox, policy
    read-only file system, read-only, read only, requires … access, required … permission, not accessible by,  missing scope, missing scopes, missing permission*, insufficient permission*, insufficient privilege*, insufficient scope*
    lack permission*, lacks permission*, no permission, don't have permission, do not have permission, does not have permission, must be superuser, must be owner
    must be root, are you root, run as root, superuser privileges, root privileges, requires root, only root, as root, robots.txt, queries are allowed, enable cookies, disallowed, refused by, hook error
    outside … allowed, outside … workspace, outside … project, outside … working, outside … sandbox, not within … allowed, not inside … allowed
    second approver, approving review, needs approval, requires approval, awaiting approval, sign-off, signed off by, has to approve, must approve, only the organizer, only the owner, only the author, may only be … by, only be … by its, administrator allows, not licensed, not viewable, segundo aprobador, freigabe durch
    dubious ownership, unsafe repository, enable javascript, you are human, you are a human, protected branch, restricted
    keine berechtigung, nicht berechtigt, nicht erlaubt, nicht gestattet, nicht zulässig, verweigert, keine rechte, root-rechte
    accès refusé, accès interdit, non autorisé*, pas autorisé*, n'est pas permis*, droits insuffisants, refusée, vous n'avez pas les droits
    denegado, denegada, no permitid*, sin permiso*, no tiene permiso*, no autorizad*, negato, negata, non consentit*, non permess*, non autorizzat*
    negado, negada, recusada, não permitid*, não autorizad*, sem permissão, отказано, запрещ*, недостаточно прав, не разрешен*, не разрешён*, нет прав
    权限不足, 没有权限, 权限不够, 不允许, 禁止, 拒绝, 無權限, 許可されていません, 許可がありません, 拒否, 権限がありません, 권한이 없, 거부, brak uprawnień, odmowa
    no se permite*, no está permitid*, ser superusuario, ser dueño, pas permis*, interdit*, être le propriétaire, nur superuser, keine rechte
    non è consentit*, não é permitid*, proibid*, не допускается, нет доступа
    droit refusé, droits refusés, disabled on this system, execution policies, execution policy
    the permission to, have access to, no access to, only … administrator*, only … admin, only … owner, by your admin*, by your organization, by its organization, turned off by, disabled by, someone else has to`,
  ],
  [
    "unknown_tool",
    `-32601, method not found, unknown tool, no such tool, unavailable tool, unsupported tool, invalid tool, nonexistent tool, unrecognized tool
    unknown function, no such function name, unknown action, unsupported action, unsupported call, unsupported custom tool call
    tool … not found, tool … does not exist, tool … is not available, tool … is not registered, tool … not available, function … not registered
    not a valid tool, does not have an implementation, don't exist, only available actions, no known action, not found in registry, no tool named, no tool called, no tool with, available tools`,
  ],
  [
    "invalid_arguments",
    `-32602, -32600, -32700, validation error*, validationerror, validation failed, failed validation, invalid argument*, invalid param*, invalid input
    invalid request, invalid value, invalid type, invalid json, invalid url, invalid format, invalid option*, invalid choice, invalid flag, invalid number
    invalid date, invalid syntax for, invalid integer, invalid literal, invalid id, invalid regex*, invalid regular, invalid pattern, invalid path, invalid query, invalid mode, invalid line
    invalid command, invalid subcommand, invalid character*, invalid field, invalid key size, invalid group, invalid user, invalid size, invalid context, invalid time*, invalid zone, invalid spec*
    missing required, missing argument*, missing param*, missing field, missing property, missing operand, missing file operand, missing destination, missing value, missing positional, missing option, missing input, missing 1 required, missing 2 required
    required property, required field, required param*, required argument*, required option, is required, are required, field required, 
    unexpected argument, unexpected keyword, unexpected parameter, unexpected property, unexpected option, unexpected positional, extra operand, extra arguments
    unknown argument*, unknown option*, unknown flag*, unknown switch, unknown command, unknown subcommand, unknown predicate, unknown parameter*, unknown field, unknown property, unknown key, unknown shorthand, unknown primary, unknown verb, unknown user option
    unrecognized option*, unrecognized argument*, unrecognized arg*, unrecognized command*, unrecognized flag, unrecognised option, unrecognised command, unrecognized subcommand, illegal option, ambiguous option, no such option, no such command
    not a git command, unterminated, unrecognized operand, unrecognized operand, nicht erkannter operand, is not a command, is not a valid command, not a valid, is not valid, not valid json, is invalid, are invalid
    requires an argument, requires a value, requires at least, requires exactly, expects an argument, option requires, argument required, needs an argument, takes exactly, takes no, takes at least, takes at most, too few arguments, too many arguments, not enough arguments, wrong number of, you must specify, must specify, must provide
    must be a*, must be one, must be in*, must be at, must be between, must be positive, must be non*, must be greater, must be less, must be of, must have, must match, must contain, must not, must start, must be set to
    usage:, usage :, usage error, try --help, --help for, see --help, -h for help, for usage, bad usage, bad option, bad argument*, bad request, bad flag, bad substitution, bad number, illegal argument*, malformed, well-formed, sql syntax, near line, unexpected token, unable to parse, could not parse, cannot parse, can't parse, failed to parse … arguments, could not be parsed as json
    json parsing failed, not valid json, regex parse error, regex parse, unclosed group, unmatched, unbalanced parenthes*, missing terminating, zoderror, zod error, input should be, is not of type, expected string, expected number, expected array, expected object, expected boolean, received undefined, type mismatch
    out of bounds, out of range, does not match pattern, schema, not one of, not a number, not an integer, non-numeric, missing url, is not understood, no such subcommand, no input files, key does not contain, beyond the end, past the end, no urls specified, no url specified, no host part, unsupported protocol, url using bad, protocol … not supported
    unbekannte option, unbekannter option, ungültige*, ungültig, nicht gültig, fehlendes argument, fehlender operand, zusätzlicher operand, aufruf:, option … erfordert, erfordert ein argument, verlangt ein argument, option … invalide, invalide, non valide, option inconnue, opérande manquant, opérande supplémentaire, requiert un argument, exige un argument, non reconnue, utilisation :
    opción inválida, opción incorrecta, opción desconocida, no válid*, inválid*, falta un operando, falta el argumento, operando extra, requiere un argumento, no reconocida, modo de empleo, opzione non valida, opzione sconosciuta, non valid*, operando mancante, operando aggiuntivo, richiede un argomento, non riconosciuta
    opção inválida, opção desconhecida, falta operando, operando faltando, operando extra, requer um argumento, exige um argumento, não reconhecida, неверный ключ, неверн*, недопустим*, некорректн*, неизвестный ключ, нераспознанный, пропущен операнд, лишний операнд, требует аргумент*, требуется аргумент
    無効な, 不正な, 正しくありません, オペランドがありません, 余分な, 引数が必要, 認識できない, 識別できない, 无效, 参数错误, 缺少, 非法, 不正确, 不合法, 格式错误, 无法识别, 多余的, 需要一个参数, 잘못된, 유효하지, 인식할 수 없는, nieprawidłow*, nieznana opcja, niewłaściw*, brakujący, ongeldig*
    is not a date, not a date that, cannot represent, in the past, is greater than the, is less than the, are the same, are identical, no es válid*, no reconocid*, no se reconoce, fuera de rango, mal formad*, faltan argumentos, falta un argumento, non reconnu*, hors limite*, pas valide*, mauvais nombre, illégal*, ambigu, ambiguë, kein gültiger, kein gültiges, keine gültige, nicht unterstützte*, nicht erkannt*, zu viele argumente, mehrdeutig
    non è valid*, fuori dall'intervallo, malformat*, não é válid*, fora do intervalo, malformad*, вне диапазона, должно быть, нераспознанн*, неподдерживаем*, 不正, 範囲外
    ohne schließende klammer, ohne öffnende klammer, échec de l’appairage, échec du pairage, desemparejad*, senza corrispondenza, が不一致です, não correspondido, sem correspondente, descasad*, непарная, niesparowane, 不匹配的, ongepaarde, 짝이 맞지 않는, quoting issues, syntax error at source, erforderlich*, obligatoire*, obligatori*, obbligatori*, obrigatóri*, обязательн*, 必須, 必填, 필수`,
  ],
  [
    "precondition",
    `not configured, no configured, nicht konfiguriert*, nicht eingerichtet, pas configuré*, non configuré*, no está configurad*, non configurat*, não configurad*, не настроен*, 設定されていません, 未配置, not a member, not in channel
    has not been read, not been read yet, read it first, modified since, changed since, changed on disk, read it again, no match for, stale, string to replace, text to replace, expected lines, old string, old_string, oldstring
    no changes made, no changes were made, no replacement, no match found for, no matches found for, must match exactly, multiple matches, multiple occurrences, not unique, more than one match, exact text, exact match, exactly match, does not match the
    already exists, already exist, already in use, already been, already running, already registered, already taken, already open, already a, already used, already locked, already initialized, already checked out, is already, file exists, eexist, not empty, unique constraint, duplicate key, duplicate entry, constraint failed, violates, foreign key
    still in use, is being used, in use by, is locked, database is locked, state lock, could not lock, lock file, unable to lock, waiting for … lock, conflict*, merge conflict, not mergeable, would be overwritten, local changes, uncommitted changes, unmerged, unstaged changes, diverg*, non-fast-forward, fetch first, rejected, need to resolve, in the middle of, have not concluded, you have unmerged, not possible to fast-forward, unrelated histories
    out of date, out-of-date, outdated, does not apply, patch does not apply, patch failed, hunk, hunks, not a git repository, no upstream branch, has no upstream, no tracking information, does not have any commits, not on a branch, no commits yet, please tell me who you are, detached, nothing to squash, no rebase in progress, no merge to abort, no cherry-pick, cannot rebase, cannot pull, refusing to, cannot delete branch, not fully merged
    could not get lock, held by process, another process, does not satisfy, set it first, can only install with an existing, is not set, not set, unbound variable, unset, must be set, insufficient … balance, insufficient … funds, needs to be, must … before, should … before, already, still in use, not available, not active, no active, no longer valid, not up to date, not mergeable, port is already, not initialized, not initialised, not configured, not running, not started, not loaded, not connected, is not running, must first, first run, first call, run … first, call … first, use … first, open … first, load … first, create … first, initialize … first, before you, no open page, no active page, no active session, no active connection, no open, insufficient funds, insufficient balance, insufficient stock, not enough, out of stock, only … can be, cannot be cancelled, cannot be modified, cannot be changed, cannot be returned, cannot be refunded
    directory not empty, resource busy, dependency conflict, peer dep*, eresolve, unmet dependenc*, depends on, incompatible, unsupported engine, ebadengine, requires python, not supported on, externally-managed-environment, externally managed, version … required
    nicht zusammengeführt*, konflikt*, conflit*, conflicto*, conflitt*, конфликт*, 競合, 冲突, 충돌, existiert bereits, existe déjà, ya existe, esiste già, già esistente, já existe, уже существует, 既に存在, すでに存在, 已存在, 已经存在, 이미 존재, już istnieje, bestaat al
    keine tracking-informationen, information de suivi, información de rastreo, informazioni di tracciamento, информации об отслеживании, 追跡情報がありません, 没有跟踪信息,
    kein git-repository, pas un dépôt git, dépôt git, no es un repositorio git, repositorio git, repository git, repositório git, не найден git, git リポジトリではありません, не является репозиторием, 不是 git 仓库, nichts zu committen, lokale änderungen, modifications locales, cambios locales, modifiche locali, alterações locais, локальные изменения, ローカルの変更, 本地修改
    must be unique, occurs … times, expected exactly, edits failed, edits applied, given block, ya está, ya se ha, ya ha sido, no está disponible, sin fusionar, no se aplica, est déjà, a déjà, déjà utilisé, déjà en cours, non fusionn*, pas disponible*, bereits, ist nicht gesetzt, inkompatib*
    è già, non impostat*, incompatibil*, já está, já foi, incompatíve*, não disponível, уже используется, несовместим*, すでに, 既に
    sperrdatei, sperre für, de bloqueo, блокировк*, ロックファイル, ロックできません
    müssen zuerst, muss zuerst, devez d'abord, doit d'abord, necesitas … primero, debes … primero, debe … primero, prima devi, primeiro precisa*, precisa … primeiro, сначала нужно, сначала необходимо, musisz najpierw, 先に, 需要先, 请先, 먼저
    is closed, are closed, is full, fully booked, sold out, seat limit, are in use, is taken, been taken, is occupied, is archived, was archived, been archived, is disabled, are disabled, not been approved, not approved, still has, still holds, still referenced, is still, are still, checked out by, is pinned, can no longer, no longer be, not stocked, no free, no seats, no places, no rooms, no slots
    ausverkauft, ausgebucht, belegt, besetzt, geschlossen, gesperrt, abgeschlossen, deaktiviert, agotad*, esgotad*, épuisé*, complet, désactivé*, desactivad*, fermé*, cerrad*, chiuso, esaurit*, uitverkocht, gesloten, wyprzedan*, 已约满, 已满, 已售罄, 満席, 売り切れ, 매진`,
  ],
  [
    "oversized",
    `too large, too long, too big, too many results, above the allowed, the limit is, more than can be, exceeds maximum, exceeds the maximum, exceeds max, exceeds limit, exceeds the limit, exceeds allowed, exceeds the allowed, exceeded maximum, maximum context, maximum length, maximum size, context length, payload too large
    content too large, entity too large, max tokens, maximum allowed tokens, token limit, maxbuffer, max buffer, size limit, larger than, longer than, file size, size exceeded, maxcontentlength, maxbodylength, memory limit, bytes billed, insufficient_space, storage is full, disk is full, insufficientstorage*`,
  ],
  [
    "network",
    `service down, server down, service is down, server is down, system is down, api is down, is offline, is unavailable, not responding, is unreachable, no response, no answer within, gave up, getaddrinfo, wrong version number, ssl routines, only-if-cached, fetch failed, can't connect, cannot connect, could not connect, couldn't connect, unable to connect, failed to connect, failed connect, could not resolve host*, couldn't resolve host*, could not resolve proxy, unable to resolve host, cannot resolve host*, resolve host*, name resolution
    was refused, actively refused, connection refused, connection reset, connection error, connection closed, connection aborted, connection issue, connection failed, connection lost, connection to server, connection was closed, connection died, connect error, connecterror, connection attempt failed, remote end closed, empty reply, bad file descriptor while
    not known, unknown host, no such host, host is down, network error, network is unreachable, unreachable, no route to host, transport error, socket hang up, socket error, ssl error, ssl_*, ssl:, tls handshake, tls error, certificate verify, certificate has, certificate is, certificate problem, ssl certificate, self-signed, self signed, x509, max retries exceeded, net::err*, proxy error, dns, nxdomain, broken pipe, recv failure, send failure, server closed, urlopen error, connection terminated, lost connection, could not read from remote
    verbindung … fehlgeschlagen, verbindung … abgelehnt, keine verbindung, verbindung verweigert, impossible de se connecter, connexion refusée, connexion échouée, no se pudo conectar, conexión rechazada, conexión rehusada, impossibile connettersi, impossibile risolvere, connessione rifiutata, não foi possível conectar, conexão recusada, не удалось подключиться, соединение отклонено, в соединении отказано, 无法连接, 连接被拒绝, 接続できません, 接続を拒否, 연결할 수 없, 연결 거부
    falló la conexión, no se puede conectar, no se pudo resolver, resolución de nombres, pu se connecter, résolution de noms, résolution de nom, inatteignable, namensauflösung, risoluzione del nome, non raggiungibil*, resolução de nome, não foi possível resolver
    nicht … verbinden, verbindung zum, verbindung zu, no responders, isn't responding, not reachable, nicht erreichbar, pas joignable*, niet bereikbaar`,
  ],
  [
    "crash",
    `sigsegv, sigkill, sigabrt, sigbus, sigfpe, sigill, segmentation fault, segfault, core dumped, dumped core, killed, oom-killed, oomkilled, crashed, died, panicked, panic:, out of memory, outofmemory*, oom, heap out, heap limit, heap space, memoryerror, memory error, cannot allocate memory, bad_alloc, std::bad*, bus error, floating point exception, illegal instruction, stack overflow, stack level too deep, stackoverflow*, maximum recursion, maximum call stack, recursion depth
    browser process, browser has been closed, browser closed, target closed, target page, process crashed, process gone, process has exited, worker died, worker crashed, failed to launch, addresssanitizer, leaksanitizer, threadsanitizer, undefinedbehaviorsanitizer, runtime error: signed, runtime error: index, runtime error: null, runtime error: load, stack smashing, double free, free(), malloc(), corrupted, corrupted size, invalid pointer, terminate called, terminating due to, abort trap, aborted, uncaught signal, access violation, dead lock, all goroutines are asleep, nil pointer dereference, invalid memory address, fatal signal
    speicherzugriffsfehler, abgebrochen, erreur de segmentation, abandon, violación de segmento, errore di segmentazione, falha de segmentação, falta de segmentação, ошибка сегментирования, аварийный останов, убито, getötet, processus arrêté, ucciso, 段错误, 已放弃, 已杀死, コアダンプ, セグメンテーション, 強制終了, 세그멘테이션`,
  ],
  [
    "error",
    `damaged, corrupt*, corrupted, truncated, premature end, unexpected end of, unexpectedly, end of file, superblock, super-block, magic number, bad magic, trailer dictionary, xref table, end of start tag, checksum, crc`,
  ],
  [
    "not_found",
    `not found, notfound, no … found, neither … found, no … with id, no … with that, no … with the, no … with name, no … with number, no … with sku, did not match any, does not match any, refspec, no … named, no … called, no … matching, no … for selector, seem to exist, not present, could not resolve, could not be resolved, zero results, no such, no file at, no file named, does not appear to contain, unable to open database, can't cd, not installed, no está instalado, nicht installiert, n'est pas installé, non installato, não está instalado, не установлен, インストールされていません, does not exist, doesn't exist, do not exist, doesn't appear to exist, no longer exists, cannot find, can't find, could not find, couldn't find, unable to find, not find, could not locate, couldn't locate, unable to locate, can't locate, cannot locate, cannot be found, could not be found, couldn't be found, can't be found, not be found, cannot access, can't open, cannot open, could not open, couldn't open, failed to open
    no module named, no module, no package, cannot load such file, cannot resolve, can't resolve, module_not_found, missing script, missing file, is missing, missing module, missing package, unknown column, unknown table, unknown database, unknown id, unknown key, unknown revision, unknown package, unknown target, unknown host key alias, unknown service, unknown image, unknown user, unknown locale, unknown module, bad revision, ambiguous argument, did not match any file, pathspec, couldn't find remote, no rule to make target, no matching distribution, no matching version, no matching, no candidate, no installation candidate, no installed, not recognized as, command not found, executable doesn't exist, no tests, no test files, no test suite, no test, no files matching, no makefile, no targets specified, no configuration file, no package.json, no pyproject, nothing found, no results, no entry, undefined method, has no attribute, no attribute, no member named, no longer available, nobody with, none found, unresolved import, could not import, importerror, does not provide an export, no such file
    nicht gefunden, nicht vorhanden, nicht finden, existiert nicht, kann nicht auf … zugreifen, kein solche*, kein ziel, introuvable*, non trouvé*, n'existe pas, aucun fichier, aucune règle, aucun paquet, impossible de trouver, inexistant*, no encontrad*, no se encontró, no se encuentra, no se ha encontrado, no existe, orden no encontrada, no hay ninguna regla, non trovat*, non esist*, inesistente, impossibile trovare, não encontrad*, não existe, inexistente, não foi encontrad*, comando não encontrado, не найден*, не существует, нет такого, нет правила, команда не найдена, не удаётся найти, не удалось найти, 不存在, 未找到, 找不到, 没有那个, 没有规则, 見つかりません, 存在しません, ありません, 찾을 수 없, 존재하지 않, 없습니다, nie znaleziono, nie istnieje, niet gevonden
    se puede abrir, se pudo abrir, se puede encontrar, se pudo encontrar, pudo localizar, no fue encontrad*, no hay tal, imposible abrir, concordó con ningún, coincide con ningún, impossible d'ouvrir, impossible d’ouvrir, pu ouvrir, pu trouver, peut ouvrir, peut trouver, pas trouvé*, pas été trouvé*, impossible de localiser, pas de tel, ne correspond à aucun*, mauvaise source
    nicht öffnen, nicht geöffnet, gefunden werden, keine solche, nicht existiert, stimmt mit keinen, kein paket, impossibile aprire, è stato trovato, è stata trovata, impossibile localizzare, non è installato, possível abrir, possível localizar, possível encontrar, não localizad*, foi localizad*, не удалось открыть, невозможно найти, невозможно открыть, не могу открыть, オープンできません, 開けません, 見つけられません
    no … matches, no … match, no … matched, no … under, no … on file, not on file, not part of, not aware of any, have a … named, isn't in the book, unknown station, unknown item, unknown token, unknown sku, unknown feature, unknown order, unknown zone, unknown account, user unknown, kein … gefunden, keine … gefunden, keinen … gefunden, tìm thấy, tidak ditemukan
    отсутствует, nicht finden, est manquant*, by the name of, a recognized id, 見つからない, gibt es nicht, no existe ningun*, está faltando, ne peut trouver, ne peut pas trouver, ne peut repérer, se puede encontrar, pudo encontrar`,
  ],
  [
    "build_failure",
    `could not compile, compilation failed, compilation failure, compilation error*, compile error*, build failed, build failure, undefined reference, undefined symbol, ld returned, linker command failed, linker error, linking failed, unresolved external, cannot find symbol, cannot find module or its, is not assignable to, undeclared identifier, was not declared, has not been declared, implicit declaration, expected expression, mismatched types, cannot borrow, borrow of moved, use of moved, unused variable, imported and not used, declared and not used, declared but, incompatible types, type error in, failed to compile, error ts*, would reformat, would be reformatted, would be changed, would be formatted, lint, lints, linter, linting, eslint, ruff, mypy, flake8, stylelint, is defined but never used, code style, formatting differences, transform failed, failed to resolve import, rollup failed, module parse failed, nicht definierter verweis, référence indéfinie, referencia … sin definir, riferimento … non definito, referência … não definida, неопределённая ссылка, неопределенная ссылка, への定義されていない参照, 未定义的引用, nicht deklariert, non déclaré*, no declarad*, non dichiarat*, não declarad*, не объявлен*, 宣言されていません, 未声明`,
  ],
  [
    "test_failure",
    `assertionerror, assertion failed, assertion error, failed asserting, test failed, tests failed, --- fail, failing, expected … but was, expected … got, expected … received, expected … to equal, expected … to be, assert_eq, assert_equal, left == right, comparisonfailure, not ok, test failure*, tests failures, test timed out, does not equal, not equal, did not raise, assert, assertion, assertions, want, expect(received), should have, snapshot … mismatch, failures, test failures, examples failed`,
  ],
  [
    "error",
    `division by zero, divide by zero, wrongtype, wrong kind of value, integer overflow, checksum mismatch, checksum error, corrupt*, unexpected end of file, unexpected eof, not in gzip format, bad magic`,
  ],
  // Last resort: words that alone say little.
  [
    "invalid_arguments",
    `invalid, incorrect, incorrecte, incorrecto, incorrecta, illegal, malformed, unknown, unrecognized, unsupported, ambiguous, must, inconnu, inconnue, non valable, desconocid*, sconosciut*, desconhecid*, неизвестн*, 不明, 未知, unbekannt*, falsch*, debe, deben, deve, devem, devono, doit, devez`,
  ],
];
