import { describe, expect, test } from "vitest";
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
  ] as const)("%j is %s", (message, category) => {
    expect(categoryOfMessage(message)).toBe(category);
  });

  test("ignores words inside quotation marks", () => {
    expect(categoryOfMessage("cp: cannot stat 'timeout policy.txt': No such file or directory")).toBe("not_found");
  });

  test("leaves invalid values inside a program to the program", () => {
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

  test("contain only categories, and phrases in lower case", () => {
    for (const [category, list] of CATEGORY_PHRASES) {
      expect(CATEGORIES).toContain(category);
      expect(list).toBe(list.toLowerCase());
    }
  });
});
