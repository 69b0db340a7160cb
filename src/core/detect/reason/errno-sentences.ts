import type { Category } from "../../model/outcome.ts";

/**
 * The sentences of system errors, as the C library prints them in English and 11 other languages, and those of Windows,
 * with the category of each. Programs in any language end their complaints with one of them.
 */
export const ERRNO_SENTENCES: readonly (readonly [Category, string])[] = [
  [
    "timeout",
    `connection timed out, die wartezeit für die verbindung ist abgelaufen, connexion terminée par expiration du délai d'attente, expiró el tiempo de conexión, connessione scaduta, ligação expirada, tempo esgotado para conexão, 接続がタイムアウトしました, время ожидания соединения истекло, przekroczony czas oczekiwania na połączenie, 连接超时, verbinding is verlopen, 연결 시간 초과`,
  ],
  [
    "permission_denied",
    `permission denied, keine berechtigung, permission non accordée, permiso denegado, permesso negato, permissão recusada, permissão negada, 許可がありません, отказано в доступе, brak dostępu, 权限不够, toegang geweigerd, 허가 거부, zugriff verweigert, accès refusé, acceso denegado, accesso negato, acesso negado, 拒绝访问
operation not permitted, die operation ist nicht erlaubt, opération non permise, operación no permitida, operazione non permessa, operação não permitida, 許可されていない操作です, операция не позволена, operacja niedozwolona, 不允许的操作, actie is niet toegestaan, 명령을 허용하지 않음
read-only file system, das dateisystem ist nur lesbar, système de fichiers accessible en lecture seulement, sistema de ficheros de sólo lectura, file system in sola lettura, sistema de ficheiros só de leitura, sistema de arquivos somente para leitura, 読み込み専用ファイルシステムです, файловая система доступна только для чтения, system plików wyłącznie do odczytu, 只读文件系统, bestandssysteem is alleen-lezen, 읽기전용 파일 시스템`,
  ],
  [
    "precondition",
    `file exists, die datei existiert bereits, le fichier existe, el fichero ya existe, file già esistente, o ficheiro existe, arquivo existe, ファイルが存在します, файл существует, plik istnieje, 文件已存在, bestand bestaat al, 파일이 있습니다
directory not empty, das verzeichnis ist nicht leer, le dossier n'est pas vide, el directorio no está vacío, directory non vuota, a pasta não está vazia, diretório não vazio, ディレクトリは空ではありません, каталог не пуст, katalog nie jest pusty, 目录非空, map is niet leeg, 디렉터리가 비어있지 않음
device or resource busy, das gerät oder die ressource ist belegt, périphérique ou ressource occupé, dispositivo o recurso ocupado, dispositivo o risorsa occupata, dispositivo ou recurso ocupado, dispositivo ou recurso está ocupado, デバイスもしくはリソースがビジー状態です, устройство или ресурс занято, urządzenie lub zasoby zajęte, 设备或资源忙, apparaat of hulpbron is bezig, 장치나 자원이 동작 중
text file busy, das programm kann nicht ausgeführt oder verändert werden, fichier texte occupé, el fichero de texto está ocupado, file di testo occupato, ficheiro de texto ocupado, área de texto ocupada, テキストファイルがビジー状態です, текстовый файл занят, plik wykonywalny zajęty, 文本文件忙, tekstbestand is in gebruik, 실행 파일 사용 중
address already in use, die adresse wird bereits verwendet, adresse déjà utilisée, la dirección ya se está usando, indirizzo già in uso, endereço já em uso, アドレスは既に使用中です, адрес уже используется, adres jest już w użyciu, 地址已在使用, adres is al in gebruik, 주소가 이미 사용 중입니다
being used by another process, von einem anderen prozess verwendet, utilisé par un autre processus, utilizado por otro proceso, utilizzato da un altro processo, usado por outro processo, 別のプロセスが使用中です, занят другим процессом, 另一个程序正在使用此文件`,
  ],
  [
    "oversized",
    `argument list too long, die argumentliste ist zu lang, liste d'arguments trop longue, la lista de argumentos es demasiado larga, elenco degli argomenti troppo lungo, lista de argumentos muito longa, 引数リストが長すぎます, слишком длинный список аргументов, lista argumentów za długa, 参数列表过长, argumentenlijst is te lang, 인수 명단이 너무 김
file too large, die datei ist zu groß, fichier trop gros, fichero demasiado grande, file troppo grande, ficheiro muito grande, arquivo muito grande, ファイルが大きすぎます, файл слишком велик, plik zbyt duży, 文件过大, bestand is te groot, 파일이 너무 큽니다
file name too long, der dateiname ist zu lang, nom de fichier trop long, nombre de fichero demasiado largo, nome del file troppo lungo, nome de ficheiro muito grande, nome de arquivo muito longo, ファイル名が長すぎます, слишком длинное имя файла, za długa nazwa pliku, 文件名过长, bestandsnaam is te lang, 파일 이름이 너무 깁니다`,
  ],
  [
    "network",
    `connection refused, verbindungsaufbau abgelehnt, connexion refusée, conexión rehusada, connessione rifiutata, ligação recusada, conexão recusada, 接続を拒否されました, в соединении отказано, połączenie odrzucone, 拒绝连接, verbinding is geweigerd, 연결이 거부됨
connection reset by peer, die verbindung wurde vom kommunikationspartner zurückgesetzt, connexion ré-initialisée par le correspondant, conexión reinicializada por la máquina remota, connessione interrotta dal corrispondente, ligação reposta pelo peer, conexão fechada pela outra ponta, 接続が相手からリセットされました, соединение разорвано другой стороной, połączenie zerwane przez drugą stronę, 连接被对方重设, verbinding is weggevallen, 상대편이 연결을 끊음
no route to host, keine route zum zielrechner, aucun chemin d'accès pour atteindre l'hôte cible, no existe ninguna ruta hasta el host, nessun instradamento per l'host, sem caminho para o anfitrião, não há rota para o host, ホストへの経路がありません, нет маршрута до узла, brak trasy do hosta, 没有到主机的路由, geen route naar host, 호스트로 갈 루트가 없음
network is unreachable, das netzwerk ist nicht erreichbar, le réseau n'est pas accessible, la red es inaccesible, la rete non è raggiungibile, rede inacessível, a rede está fora de alcance, ネットワークに届きません, сеть недоступна, sieć jest niedostępna, 网络不可达, netwerk is onbereikbaar, 네트워크가 접근 불가능합니다
name or service not known, der name oder der dienst ist nicht bekannt, nom ou service inconnu, nombre o servicio desconocido, nome o servizio sconosciuto, nome ou serviço desconhecidos, nome ou serviço desconhecido, 名前またはサービスが不明です, неизвестное имя или служба, ta nazwa lub usługa jest nieznana, 未知的名称或服务, naam of dienst is niet bekend, 이름 혹은 서비스를 알 수 없습니다
temporary failure in name resolution, temporärer fehler bei der namensauflösung, échec temporaire dans la résolution du nom, fallo temporal en la resolución del nombre, errore temporaneo nella risoluzione del nome, falha temporária na resolução de nome, falha temporário na resolução de nome, 名前解決に一時的に失敗しました, временный сбой в разрешении имен, odwzorowanie nazwy jest chwilowo niemożliwe, 域名解析暂时失败, tijdelijk probleem in naamsherleiding, name resolution에서 일시적인 실패`,
  ],
  [
    "crash",
    `segmentation fault, speicherzugriffsfehler, erreur de segmentation, violación de segmento, errore di segmentazione, falta de segmentação, falha de segmentação, ошибка сегментирования, naruszenie ochrony pamięci, 段错误, segmentatiefout, 세그멘테이션 오류
bus error, bus-zugriffsfehler, erreur du bus, error del bus, errore di bus, erro de bus, erro no barramento, バスエラー, ошибка шины, błąd szyny, 总线错误, busfout, 버스 오류
floating point exception, gleitkomma-ausnahme, exception en point flottant, excepción de coma flotante, eccezione in virgola mobile, excepção de vírgula flutuante, exceção de ponto flutuante, 浮動小数点例外, исключение в операции с плавающей точкой, błąd w obliczeniach zmiennoprzecinkowych, 浮点数例外, drijvendekomma-berekeningsfout, 부동 소수점 예외
illegal instruction, ungültiger maschinenbefehl, instruction non permise, instrucción ilegal, istruzione non consentita, instrução ilegal, недопустимая инструкция, błędna instrukcja, 非法指令, ongeldige instructie, 명령어가 잘못됨
cannot allocate memory, nicht genügend hauptspeicher verfügbar, ne peut allouer de la mémoire, no se pudo asignar memoria, impossibile allocare memoria, impossível alocar memória, não foi possível alocar memória, メモリを確保できません, невозможно выделить память, nie można przydzielić pamięci, 无法分配内存, onvoldoende geheugen beschikbaar, 메모리를 할당할 수 없습니다`,
  ],
  [
    "not_found",
    `no such file or directory, datei oder verzeichnis nicht gefunden, aucun fichier ou dossier de ce type, no existe el fichero o el directorio, file o directory non esistente, ficheiro ou pasta inexistente, arquivo ou diretório inexistente, そのようなファイルやディレクトリはありません, нет такого файла или каталога, nie ma takiego pliku ani katalogu, 没有那个文件或目录, bestand of map bestaat niet, 그런 파일이나 디렉터리가 없습니다, no existe el archivo o el directorio, aucun fichier ou répertoire de ce nom
no such process, kein passender prozess gefunden, aucun processus de ce type, no existe el proceso, nessun processo corrisponde, processo inexistente, そのようなプロセスはありません, нет такого процесса, nie ma takiego procesu, 没有那个进程, proces bestaat niet, 그런 프로세스가 없음
no such device, kein passendes gerät gefunden, aucun périphérique de ce type, no existe el dispositivo, nessun device corrisponde, dispositivo inexistente, そのようなデバイスはありません, нет такого устройства, nie ma takiego urządzenia, 没有那个设备, onjuist apparaat, 그런 장치가 없음
is not recognized as, falsch geschrieben oder konnte nicht gefunden werden, n'est pas reconnu en tant que, no se reconoce como, non è riconosciuto come, não é reconhecido como, コマンドとして認識されていません, не является внутренней или внешней, nie jest rozpoznawana jako, 不是内部或外部命令
the system cannot find the, das system kann die angegebene datei nicht finden, das system kann den angegebenen pfad nicht finden, fichier spécifié est introuvable, chemin d'accès spécifié est introuvable, el sistema no puede encontrar, impossibile trovare il file specificato, impossibile trovare il percorso, o sistema não pode encontrar, 指定されたファイルが見つかりません, 指定されたパスが見つかりません, не удается найти указанный, 系统找不到指定的
the network path was not found, der netzwerkpfad wurde nicht gefunden, le chemin réseau n'a pas été trouvé, no se ha encontrado la ruta de acceso de la red, o caminho da rede não foi encontrado, ネットワーク パスが見つかりません`,
  ],
  [
    "invalid_arguments",
    `invalid argument, das argument ist ungültig, argument invalide, argumento inválido, argomento non valido, 無効な引数です, недопустимый аргумент, zły argument, 无效的参数, ongeldig argument, 부적절한 인수`,
  ],
  [
    "error",
    `is a directory, ist ein verzeichnis, est un dossier, es un directorio, è una directory, é pasta, é um diretório, ディレクトリです, это каталог, jest katalogiem, 是一个目录, is een map, 디렉터리입니다
not a directory, ist kein verzeichnis, n'est pas un dossier, no es un directorio, non è una directory, não é pasta, não é um diretório, ディレクトリではありません, это не каталог, nie jest katalogiem, 不是目录, is geen map, 디렉터리가 아닙니다
no space left on device, auf dem gerät ist kein speicherplatz mehr verfügbar, aucun espace disponible sur le périphérique, no queda espacio en el dispositivo, spazio esaurito sul device, sem espaço livre no dispositivo, não há espaço disponível no dispositivo, デバイスに空き領域がありません, на устройстве не осталось свободного места, brak miejsca na urządzeniu, 设备上没有空间, geen ruimte meer over op apparaat, 장치에 남은 공간이 없음
too many open files, zu viele offene dateien, trop de fichiers ouverts, demasiados ficheros abiertos, troppi file aperti, demasiados ficheiros abertos, muitos arquivos abertos, ファイルを開きすぎです, слишком много открытых файлов, za dużo otwartych plików, 打开的文件过多, te veel open bestanden, 열린 파일이 너무 많음
exec format error, fehler im format der programmdatei, erreur de format pour exec(), formato de ejecutable incorrecto, formato eseguibile non valido, erro de formato do executável, erro no formato exec, 実行形式エラー, ошибка формата выполняемого файла, błędny format pliku wykonywalnego, 可执行文件格式错误, verkeerd uitvoerbaar bestand, exec 형식 오류
input/output error, eingabe-/ausgabefehler, erreur d'entrée/sortie, error de entrada/salida, errore di input/output, erro de entrada/saída, 入力/出力エラーです, ошибка ввода/вывода, błąd wejścia/wyjścia, 输入/输出错误, invoer-/uitvoerfout, 입력/출력 오류`,
  ],
];

/** Names of system errors by category. */
export const ERRNO_NAMES: readonly (readonly [Category, string])[] = [
  ["timeout", "ETIMEDOUT ESOCKETTIMEDOUT ERR_SOCKET_TIMEOUT"],
  ["permission_denied", "EACCES EPERM EROFS"],
  ["precondition", "EEXIST ENOTEMPTY EBUSY ETXTBSY EADDRINUSE"],
  ["oversized", "E2BIG EFBIG ENAMETOOLONG ENOBUFS EMSGSIZE"],
  [
    "network",
    "ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND EAI_AGAIN EAI_NONAME EHOSTUNREACH ENETUNREACH EPIPE EHOSTDOWN ENETDOWN",
  ],
  ["crash", "ENOMEM"],
  ["not_found", "ENOENT ESRCH ENODEV ENXIO"],
  ["invalid_arguments", "EINVAL EDOM ERANGE"],
  ["error", "EISDIR ENOTDIR ENOSPC EMFILE ENFILE ENOEXEC EIO ELOOP EDQUOT"],
];
