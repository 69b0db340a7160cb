import { describe, expect, test } from "vitest";
import { shell } from "../../../../test/support/classify.ts";

describe("the complaint of the program itself", () => {
  test("a system error of the last program is a failure, whatever the program prints below it", () => {
    expect(shell("cp a /mnt/b", "cp: error writing '/mnt/b': No space left on device\n3 blocks\n0 left")).toMatchObject(
      { status: "failed", evidence: [{ rule: "own-complaint" }] },
    );
  });

  test("a system error of a program before the last one is no failure", () => {
    expect(
      shell("rm old.txt; cp -v a b", "rm: cannot remove 'old.txt': No such file or directory\n'a' -> 'b'").status,
    ).toBe("ok");
  });

  test("the complaint of a helper program at the end is a failure", () => {
    const text =
      "dump.gz   12%   61MB   3.1MB/s   02:21 ETA\nclient_loop: send disconnect: Connection reset by peer\nlost connection";
    expect(shell("scp dump.gz box:/tmp/", text)).toMatchObject({ status: "failed", category: "network" });
    const loop = "1 a.txt\nwc: b.txt: No such file or directory\n1 c.txt\n2 of 3 files";
    expect(shell("./count.sh", loop).evidence[0]?.rule).not.toBe("closing-error");
  });

  test("a command that shows a log failed if it complains itself", () => {
    expect(shell("kubectl logs mailer-8", 'Error from server (NotFound): pods "mailer-8" not found').status).toBe(
      "failed",
    );
  });

  test("a command that shows the log of another program did not fail, whatever the last line says", () => {
    const text = 'level=error msg="queue is gone"\nlevel=error msg="last try"\npanic: no queue left\n';
    expect(shell("kubectl logs mailer-7 --tail=3", text)).not.toMatchObject({ status: "failed" });
  });

  test("a usage text below a complaint is a failure, unless help was requested", () => {
    const text = "unknown shorthand flag: 'z' in -z\n\nUsage:  gp list [flags]\n\nFlags:\n  -a, --all   everything";
    expect(shell("gp list -z", text)).toMatchObject({ status: "failed", category: "invalid_arguments" });
    expect(shell("gp list --help", text).evidence[0]?.rule).not.toBe("usage-text");
  });
});

describe("a single line of a program without an exit code", () => {
  test.each([
    ["es", "no se puede abrir el mapa de salas"],
    ["fr", "impossible d'ouvrir le plan des salles"],
    ["de", "Der Raumplan konnte nicht gelesen werden"],
    ["it", "impossibile leggere la piantina delle sale"],
    ["pt", "n\u00e3o foi poss\u00edvel abrir o mapa das salas"],
    [
      "ru",
      "\u043d\u0435 \u0443\u0434\u0430\u043b\u043e\u0441\u044c \u043e\u0442\u043a\u0440\u044b\u0442\u044c \u0444\u0430\u0439\u043b plan.txt",
    ],
    ["ja", "plan.txt \u3092\u958b\u3051\u307e\u305b\u3093\u3067\u3057\u305f"],
  ])("a line that reports a failure in %s is a failure", (_language, line) => {
    expect(shell("roomplan plan.txt", line).status).toBe("failed");
  });

  test.each([
    ["en", "roomplan: reading 12 rooms"],
    ["es", "roomplan: leyendo 12 salas"],
    ["fr", "roomplan: lecture de 12 salles"],
    ["de", "roomplan: 12 R\u00e4ume werden gelesen"],
    ["it", "roomplan: lettura di 12 sale"],
  ])("a line in the program's own name that reports progress in %s is no failure", (_language, line) => {
    expect(shell("roomplan plan.txt", line).status).not.toBe("failed");
  });

  test.each([
    [
      "svn help relocate | head -8",
      "relocate: Relocate a working copy that refused to switch.\nusage: relocate A B\n\n  Fails if A is unknown.\n  An invalid URL is an error.",
    ],
    [
      "rustc --explain E0384",
      "An immutable variable was reassigned.\n\nErroneous code example:\n\n    let x = 3;\n    x = 5; // error, reassigning fails\n",
    ],
    [
      "python3 -c 'help(KeyError)' | head -9",
      'Help on class KeyError in module builtins:\n\nclass KeyError(LookupError)\n |  Mapping key not found.\nTraceback (most recent call last):\n  File "<string>", line 1, in <module>\nBrokenPipeError: [Errno 32] Broken pipe',
    ],
  ])("a manual that the command asks for is no failure: %s", (command, text) => {
    expect(shell(command, text)).toMatchObject({ status: "ok", soft: false });
  });

  test.each([
    ["gizmo --help", "bash: gizmo: command not found\nnote: 3 similar names\n a\n b"],
    ["cargo help frob", "error: no such command: `frob`\n\nhelp: view all with\n  cargo --list"],
    [
      "node tool.js --help",
      "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'yargs'\n    at a (b.js:1:2)",
    ],
  ])("a command that asks for a manual fails if a complaint is printed instead: %s", (command, text) => {
    expect(shell(command, text).status).toBe("failed");
  });

  test.each([
    ["make --dry-run pack", 'tar czf out.tgz dist\ntest -s out.tgz || { echo "error: archive is empty"; exit 1; }'],
    [
      "kubectl create secret generic s --from-literal=fatal=7 --dry-run=client -o yaml",
      'apiVersion: v1\ndata:\n  fatal: "7"\nkind: Secret',
    ],
    ["helm template mail ./chart", "kind: ConfigMap\ndata:\n  on-error: |\n    Error: mail is lost"],
  ])("the steps or the text that a dry run prints are no failure: %s", (command, text) => {
    expect(shell(command, text).status).toBe("ok");
  });

  test("a dry run fails if the program itself complains", () => {
    const text = "make: Entering directory '/w'\nmake: *** No rule to make target 'relase'.  Stop.";
    expect(shell("make -n relase", text).status).toBe("failed");
  });

  test("a failed step that make ignores is no failure, unless a later one fails", () => {
    const text =
      "rmdir build\nrmdir: failed to remove 'build': No such file or directory\nmake: [Makefile:3: clean] Error 1 (ignored)\ncc -o app app.c";
    expect(shell("make clean; make", text).status).toBe("ok");
    expect(shell("make", `${text}\nmake: *** [Makefile:8: app] Error 1`).status).toBe("failed");
  });

  test.each([
    ["bc -q sum.bc", "bc: expression is too deep"],
    ["sudo -n apt update", "sudo: se necesita una contrase\u00f1a"],
    ["sed -e 's/x' a", "sed\uff1a-e \u8868\u8fbe\u5f0f #1\uff0c\u5b57\u7b26 3\uff1a\u672a\u7ec8\u6b62"],
  ])("a single line in the name of a program that otherwise prints only data is a failure: %s", (command, text) => {
    expect(shell(command, text).status).toBe("failed");
  });

  test.each([
    ["rm -i a.txt", "rm: remove regular file 'a.txt'?"],
    ["sort -k2 a", "sort: Warning: the key is empty"],
  ])("a question or a warning in a program's name is no failure: %s", (command, text) => {
    expect(shell(command, text).status).not.toBe("failed");
  });

  test("a sentence of a systemd tool that it could not do its work is a failure", () => {
    const text = "No such boot.\nFailed to connect to bus: Host is down";
    expect(shell("systemctl status cron", text).status).toBe("failed");
  });
});
