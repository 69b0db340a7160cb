import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../../test/support/classify.ts";
import { CATEGORIES } from "../../model/outcome.ts";
import { categoryOfMessage } from "./category.ts";
import { CATEGORY_PHRASES } from "./category-phrases.ts";
import { ERRNO_SENTENCES } from "./errno-sentences.ts";

describe("the category of a message", () => {
  test.each([
    ["cat: notes.txt: No such file or directory", "not_found"],
    ["cat: notizen.txt: Datei oder Verzeichnis nicht gefunden", "not_found"],
    ["ls: impossible d'ouvrir le répertoire 'x': Permission non accordée", "permission_denied"],
    ["curl: (7) Failed to connect: Connection refused", "network"],
    ["connect ECONNREFUSED 127.0.0.1:80", "network"],
    ["mkdir: ディレクトリを作成できません: ファイルが存在します", "precondition"],
    ["git@host: Permission denied (publickey).", "auth"],
    ["HTTP/1.1 503 Service Unavailable", "http_server_error"],
    ["HTTP/1.1 429 Too Many Requests", "rate_limited"],
    ["FileNotFoundError: [Errno 2] No such file or directory: 'x'", "not_found"],
    ["ModuleNotFoundError: No module named 'requests'", "not_found"],
    ["error: unrecognized option '--colour'", "invalid_arguments"],
    ["sed: -e Ausdruck #2, Zeichen 9: Zusätzliche Zeichen nach dem Befehl", "invalid_arguments"],
    ["grep: Непарная ( или \\(", "invalid_arguments"],
    ["fatal: vous devez d'abord résoudre votre index courant", "precondition"],
    ["Error: maxBodyLength of 900 bytes exceeded", "oversized"],
    ["Error: Reference to undeclared resource", undefined],
    ["split: el número de bytes no es válido: «tenMB»", "invalid_arguments"],
    ["fatal: no se pudo abrir 'a.txt'", "not_found"],
    ["make: *** Keine Regel, um „a“ zu erstellen.  Schluss.", "not_found"],
    ["Request failed with status code 504: Gateway Timeout", "http_server_error"],
    ["403 Forbidden: API rate limit exceeded", "rate_limited"],
    ["GitLab API error: Unprocessable Entity", "http_client_error"],
    ["405 Method Not Allowed", "http_client_error"],
    ["Segmentation fault (core dumped)", "crash"],
    ["RecordsNotFoundError: these records are not available now", "not_found"],
    ["Errore 403: la pratica è riservata", "permission_denied"],
    ["The key has reached its monthly limit of 10 calls", "rate_limited"],
    ["Couldn't find the trailer dictionary", "error"],
    ["cc -O2 -c src/net/dns.c -o obj/net/dns.o", undefined],
    ["Deal 8 was changed; expected version 14, got 12.", undefined],
    ['psql: error: connection to server failed: FATAL: database "shop" does not exist', "not_found"],
  ] as const)("the message %j has category %s", (message, category) => {
    expect(categoryOfMessage(message)).toBe(category);
  });

  test("words inside quotation marks do not decide the category", () => {
    expect(categoryOfMessage("cp: cannot stat 'timeout policy.txt': No such file or directory")).toBe("not_found");
  });

  test("invalid values inside a program are errors of the program, not of the call", () => {
    expect(categoryOfMessage("SyntaxError: invalid syntax", "program")).toBeUndefined();
    expect(categoryOfMessage("seq: invalid option -- 'x'", "program")).toBe("invalid_arguments");
  });
});

describe("the phrase tables", () => {
  test.each(ERRNO_SENTENCES)("every sentence of %s is found in a message that ends with it", (category, list) => {
    for (const sentence of list.split(/[,\n]/).map((one) => one.trim())) {
      expect([sentence, categoryOfMessage(`prog: x: ${sentence}`)]).toEqual([sentence, category]);
    }
  });

  test("the tables contain only categories, and phrases in lower case", () => {
    for (const [category, list] of CATEGORY_PHRASES) {
      expect(CATEGORIES).toContain(category);
      expect(list).toBe(list.toLowerCase());
    }
  });
});

describe("the category of an output", () => {
  test.each([
    ["./a.ps1 : File a.ps1 cannot be loaded because running scripts is disabled on this system.", "permission_denied"],
    ["An error occurred (LimitExceededException) when calling the PutRule operation: too many rules", "rate_limited"],
    ["ERROR 1045 (28000): Zugriff verweigert für Benutzer 'lena'@'localhost' (verwendetes Passwort: JA)", "auth"],
    ["E: Could not get lock /var/lib/dpkg/lock. It is held by process 88 (apt)", "precondition"],
    ["Ledger/Parser.swift:9: Fatal error: Index out of range", "crash"],
  ])("%j fails with category %s", (text, category) => {
    expect(shell("./run", text)).toMatchObject({ status: "failed", category });
  });

  test("a missing field is an invalid argument in other languages too", () => {
    expect(answer("send_invoice", 'Error: el campo "iva" es obligatorio')).toMatchObject({
      category: "invalid_arguments",
    });
    expect(answer("send_invoice", "Fehler: das Feld „ust“ ist erforderlich")).toMatchObject({
      category: "invalid_arguments",
    });
  });

  test("an image that cannot be built is a failed build, unless a file is missing", () => {
    const step =
      "#5 3.2 ERROR: Could not find a version that satisfies the requirement nump==1 (from versions: none)\n";
    const end =
      'ERROR: failed to solve: process "/bin/sh -c pip install nump" did not complete successfully: exit code: 1\n';
    expect(shell("docker build -t mailer .", step + end).category).toBe("build_failure");
    expect(
      shell("docker build .", "ERROR: failed to read dockerfile: open Dockerfile: no such file or directory\n")
        .category,
    ).toBe("not_found");
  });

  test("code that Perl could not compile is an error, not only an exit code", () => {
    const text =
      'Exit code: 255\nGlobal symbol "$sum" requires explicit package name (did you forget to declare "my $sum"?) at a.pl line 3.\nExecution of a.pl aborted due to compilation errors.\n';
    expect(shell("perl a.pl", text).category).toBe("error");
  });

  test("a patch that does not fit is a failed precondition", () => {
    expect(
      answer("apply_patch", "apply_patch verification failed: Failed to find expected lines in a.py:\n  x = 1"),
    ).toMatchObject({ status: "failed", category: "precondition" });
  });

  test("a command that Windows does not find in another language is not found", () => {
    const text = 'Der Befehl "robokopie" ist entweder falsch geschrieben oder\nkonnte nicht gefunden werden.';
    expect(shell("robokopie a b", text.replace("\n", " ")).category).toBe("not_found");
  });

  test.each([
    ["transfer closed with 500 bytes remaining to read", "http_server_error"],
    ["server returned 404 rows too many", "not_found"],
  ])("a number of things is no HTTP status: %s", (message, category) => {
    expect(categoryOfMessage(message)).not.toBe(category);
  });

  test("the category of a status that the command printed is that of the exit code", () => {
    expect(shell("timeout 3 ./sync; echo rc=$?", "rc=124")).toMatchObject({ soft: true, category: "timeout" });
    expect(shell("./sync; echo rc=$?", "syncing\nrc=137").category).toBe("crash");
  });

  test("a password that a server does not accept is about the account", () => {
    expect(shell("cache-cli ping", "AUTH failed: WRONGPASS invalid username-password pair").category).toBe("auth");
  });

  test("a statement that the user canceled is canceled", () => {
    expect(shell("psql -f a.sql", "ERROR:  canceling statement due to user request").category).toBe("cancelled");
  });
});
