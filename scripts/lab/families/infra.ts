// Build tools, services and remote access without containers: make, cmake, ninja, ssh, systemctl, docker, terraform.
import { answer, bad, fine } from "../builders.ts";
import type { Category, Family } from "../types.ts";

const L = { localized: true } as const;
const BUILD: Category = "build_failure";
const mk = (text: string, more: Readonly<Record<string, string>> = {}) => ({ files: { Makefile: text, ...more } });

export const INFRA: Family = {
  name: "infra",
  cases: [
    bad("make", "no-makefile", "make", "not_found", "make: ***", { ...L, also: [BUILD, "precondition", "error"] }),
    bad("make", "no-rule", "make @stem@", "not_found", "@stem@", {
      ...L,
      ...mk("all:\n\techo hi\n"),
      also: [BUILD, "error", "invalid_arguments"],
    }),
    bad("make", "missing-prerequisite", "make", "not_found", "@stem@.c", {
      ...L,
      ...mk("app: @stem@.c\n\tcc -o app @stem@.c\n"),
      also: [BUILD, "error"],
    }),
    bad("make", "recipe-fails", "make build", BUILD, "@msg@", {
      ...L,
      ...mk("build:\n\t@echo compiling\n\t@echo '@msg@' >&2; exit 2\n"),
      also: ["error", "exit_code"],
      signs: ["make: ***"],
    }),
    bad("make", "command-missing", "make lint", "not_found", "@stem@lint", {
      ...L,
      ...mk("lint:\n\t@stem@lint src\n"),
      also: [BUILD],
    }),
    bad("make", "compile-error", "make", BUILD, "@id@", {
      ...L,
      ...mk("app: a.o\n\tgcc -o app a.o\na.o: a.c\n\tgcc -c a.c\n", { "a.c": "int f(void) { return @id@; }\n" }),
      also: ["error"],
      signs: ["make: ***"],
    }),
    bad("make", "link-error", "make", BUILD, "@id@", {
      ...L,
      ...mk("app: a.o\n\tgcc -o app a.o\na.o: a.c\n\tgcc -c a.c\n", {
        "a.c": "int @id@(void);\nint main(void) { return @id@(); }\n",
      }),
      also: ["error"],
      signs: ["make: ***"],
    }),
    bad("make", "missing-separator", "make", "error", "Makefile:2", {
      ...L,
      ...mk("all:\n    echo @stem@\n"),
      also: [BUILD, "invalid_arguments"],
    }),
    bad("make", "nested", "make all", BUILD, "@missing@", {
      ...L,
      ...mk("all:\n\t$(MAKE) -C sub\n", { "sub/Makefile": "x:\n\tcp @missing@ out\n" }),
      also: ["not_found", "error"],
      signs: ["make: ***"],
    }),
    bad("make", "tests-fail", "make test", "test_failure", "@msg@", {
      ...mk("test:\n\tpython3 -m unittest -q t\n", {
        "t.py": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.fail('@msg@')\n",
      }),
      also: [BUILD],
      signs: ["make: ***", "FAILED"],
    }),
    bad("make", "bad-option", "make --jobss=4", "invalid_arguments", "--jobss", { ...L, signs: ["Usage"] }),
    bad("make", "keep-going", "make -k", BUILD, "@msg@", {
      ...L,
      ...mk("all: a b\na:\n\t@echo '@msg@'; exit 1\nb:\n\t@echo built b\n"),
      also: ["error"],
      signs: ["make: ***"],
    }),
    answer("make", "question", "make -q app", "make-question", 1, mk("app: a.c\n\ttouch app\n", { "a.c": "" })),
    fine("make", "up-to-date", "make app", { ...L, ...mk("app:\n\ttouch app\n"), setup: "touch app" }),
    fine("make", "nothing", "make all", { ...L, ...mk("all:\n") }),
    fine("make", "ignored-error", "make clean", { ...L, ...mk("clean:\n\t-rm @missing@\n\t@echo cleaned\n") }),
    fine("make", "builds", "make", {
      ...mk("app: a.c\n\tgcc -Wall -o app a.c\n", { "a.c": "int main(void) { int error; return 0; }\n" }),
    }),
    fine("make", "circular-dropped", "make a", { ...L, ...mk("a: b\n\t@echo made a\nb: a\n\t@echo made b\n") }),
    fine("make", "overriding-warning", "make a", { ...L, ...mk("a:\n\t@echo one\na:\n\t@echo two\n") }),
    fine("make", "dry-run", "make -n test", mk("test:\n\tpytest || (echo 'tests failed'; exit 1)\n")),
    bad("cmake", "no-lists", "cmake .", "not_found", "CMakeLists.txt", { also: [BUILD, "error", "precondition"] }),
    bad("cmake", "missing-package", "cmake .", BUILD, "@type@Kit", {
      seeds: 1,
      files: {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(@stem@ C)\nfind_package(@type@Kit REQUIRED)\n",
      },
      also: ["not_found", "precondition", "error"],
    }),
    bad("cmake", "missing-source", "cmake .", BUILD, "@missing@.c", {
      seeds: 1,
      files: {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(@stem@ C)\nadd_executable(app @missing@.c)\n",
      },
      also: ["not_found", "error"],
    }),
    bad("cmake", "fatal-message", "cmake .", BUILD, "@msg@", {
      seeds: 1,
      files: {
        "CMakeLists.txt": 'cmake_minimum_required(VERSION 3.10)\nproject(@stem@ NONE)\nmessage(FATAL_ERROR "@msg@")\n',
      },
      also: ["error"],
    }),
    bad("cmake", "syntax", "cmake .", BUILD, "CMakeLists.txt", {
      files: { "CMakeLists.txt": "project(@stem@ NONE\n" },
      also: ["error"],
    }),
    bad("cmake", "build-error", "cmake --build .", BUILD, "@id@", {
      seeds: 1,
      files: {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(@stem@ C)\nadd_executable(app a.c)\n",
        "a.c": "int main(void) { return @id@; }\n",
      },
      setup: "cmake .",
      also: ["error"],
      signs: ["Error 1"],
    }),
    bad("cmake", "build-folder-missing", "cmake --build @dir@", "not_found", "@dir@", { also: ["error", BUILD] }),
    fine("cmake", "configures", "cmake -S . -B b", {
      seeds: 1,
      files: {
        "CMakeLists.txt":
          'cmake_minimum_required(VERSION 3.10)\nproject(@stem@ C)\nmessage(WARNING "error reporting is off")\nadd_executable(app a.c)\n',
        "a.c": "int main(void) { return 0; }\n",
      },
    }),
    bad("ninja", "no-file", "ninja", "not_found", "build.ninja", { also: [BUILD, "error"] }),
    bad("ninja", "command-fails", "ninja", BUILD, "@missing@", {
      files: { "build.ninja": "rule cp\n  command = cp @missing@ $out\nbuild out.txt: cp\n" },
      also: ["not_found", "error"],
      signs: ["FAILED"],
    }),
    bad("ninja", "unknown-target", "ninja @stem@", "not_found", "@stem@", {
      files: { "build.ninja": "rule x\n  command = true\nbuild a: x\n" },
      also: ["error", "invalid_arguments", BUILD],
    }),
    fine("ninja", "no-work", "ninja && ninja", {
      files: { "build.ninja": "rule t\n  command = touch $out\nbuild out.txt: t\n" },
    }),
    bad("ssh", "refused", "ssh -o BatchMode=yes -p @closed@ @user@@127.0.0.1 uptime", "network", "@closed@"),
    bad("ssh", "dns", "ssh -o BatchMode=yes deploy@@host@ uptime", "network", "@host@", { also: ["not_found"] }),
    bad("ssh", "key-missing", "ssh-keygen -lf @missing@.pub", "not_found", "@missing@.pub", { needs: ["ssh-keygen"] }),
    bad("scp", "refused", "scp -o BatchMode=yes -P @closed@ a.txt dev@127.0.0.1:/tmp/", "network", "@closed@", {
      files: { "a.txt": "" },
    }),
    bad("rsync", "refused", "rsync -a a.txt rsync://127.0.0.1:@closed@/x/", "network", "Connection refused", {
      files: { "a.txt": "" },
    }),
    bad("nc", "refused", "nc -zv 127.0.0.1 @closed@", "network", "@closed@"),
    bad("telnet", "refused", "telnet 127.0.0.1 @closed@", "network", "refused"),
    bad("ping", "unknown-host", "ping -c1 @host@", "network", "@host@", { ...L, also: ["not_found"] }),
    bad("dig", "no-server", "dig +time=1 +tries=1 @127.0.0.1 @host@", "network", "no servers could be reached", {
      also: ["timeout"],
    }),
    bad("systemctl", "not-booted", "systemctl status @stem@", "precondition", "systemd", {
      also: ["error", "not_found"],
    }),
    bad("service", "unknown", "service @stem@ restart", "not_found", "@stem@", { also: ["error"] }),
    bad("journalctl", "no-journal", "journalctl -u @stem@ --directory=@dir@", "not_found", "", {
      also: ["error"],
      fact: "^",
    }),
    bad("docker", "no-daemon", "docker ps", "network", "docker", { also: ["error", "precondition", "not_found"] }),
    bad("docker", "unknown-command", "docker biuld .", "invalid_arguments", "biuld", {
      also: ["not_found", "unknown_tool"],
    }),
    bad("kubectl", "refused", "kubectl get pods", "network", "was refused"),
    bad("kubectl", "unknown-command", "kubectl gett pods", "invalid_arguments", "gett", { also: ["not_found"] }),
    bad("minikube", "missing", "minikube start", "not_found", "minikube", { needs: ["bash"], exit: 127, ...L }),
    bad("helm", "missing", "helm upgrade @stem@ ./chart", "not_found", "helm", { needs: ["bash"], exit: 127 }),
    bad("terraform", "no-files", "terraform plan", "precondition", "configuration", {
      also: ["error", "not_found"],
      seeds: 1,
    }),
    bad("terraform", "syntax", "terraform validate -no-color", "error", "main.tf", {
      files: { "main.tf": 'resource "null" {\n  x = \n' },
      also: [BUILD, "invalid_arguments"],
      seeds: 1,
    }),
    bad("terraform", "undeclared", "terraform validate -no-color", "error", "@id@", {
      files: { "main.tf": 'output "x" {\n  value = var.@id@\n}\n' },
      also: [BUILD, "not_found", "invalid_arguments"],
      seeds: 1,
    }),
    fine("terraform", "valid", "terraform validate -no-color", {
      files: { "main.tf": 'output "error" {\n  value = "none"\n}\n' },
      seeds: 1,
    }),
    fine("terraform", "fmt", "terraform fmt -check && echo formatted", {
      files: { "main.tf": 'output "x" {\n  value = 1\n}\n' },
      seeds: 1,
    }),
    bad("openssl", "missing-key", "openssl rsa -in @missing@.pem -check", "not_found", "@missing@.pem"),
    bad("openssl", "bad-key", "openssl x509 -in @stem@.pem -noout", "error", "@stem@.pem", {
      files: { "@stem@.pem": "no certificate\n" },
      also: ["invalid_arguments"],
      fact: "",
      signs: ["Could not read", "unable to load"],
    }),
    bad("openssl", "refused", "openssl s_client -connect 127.0.0.1:@closed@", "network", "refused", {
      also: ["error"],
    }),
    bad("gpg", "missing-key", "gpg --batch --encrypt -r @user@@@host@ @file@", "not_found", "@user@", {
      files: { "@file@": "x" },
      also: ["error"],
      ...L,
    }),
    bad("crontab", "none", "crontab -l", "not_found", "crontab", { also: ["error"] }),
    bad("at", "missing", "at now + 1 minute", "not_found", "at", { needs: ["bash"], exit: 127 }),
    bad("ffmpeg", "missing-input", "ffmpeg -v error -i @missing@.mp4 out.webm", "not_found", "@missing@.mp4"),
    bad("ffmpeg", "bad-input", "ffmpeg -hide_banner -i @stem@.mp4 out.webm", "error", "@stem@.mp4", {
      files: { "@stem@.mp4": "not a video" },
    }),
    bad("convert", "missing-input", "convert @missing@.png out.jpg", "not_found", "@missing@.png"),
    bad("pandoc", "missing-input", "pandoc @missing@.md -o out.html", "not_found", "@missing@.md"),
    bad("pandoc", "unknown-format", "pandoc -t @stem@ a.md", "invalid_arguments", "@stem@", {
      files: { "a.md": "# x\n" },
    }),
    bad("mvn", "no-pom", "mvn -q -o -Dmaven.repo.local=.m2 package", "not_found", "POM", {
      also: [BUILD, "error", "precondition"],
      seeds: 1,
    }),
    bad("mvn", "missing-dependency", "mvn -o -q -Dmaven.repo.local=.m2 compile", BUILD, "offline mode", {
      seeds: 1,
      also: ["not_found", "network", "error"],
      files: {
        "pom.xml":
          "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>@stem@</artifactId><version>1</version></project>\n",
      },
    }),
    bad("ant", "no-build", "ant", "not_found", "build.xml", { also: [BUILD, "error"], seeds: 1 }),
    bad("ant", "fails", "ant", BUILD, "@msg@", {
      seeds: 1,
      files: { "build.xml": '<project default="x"><target name="x"><fail message="@msg@"/></target></project>\n' },
      also: ["error"],
    }),
    fine("ant", "success", "ant", {
      seeds: 1,
      files: { "build.xml": '<project default="x"><target name="x"><echo message="no errors"/></target></project>\n' },
    }),
    bad("meson", "no-file", "meson setup b", "not_found", "meson.build", { also: [BUILD, "error"], seeds: 1 }),
    bad("svn", "not-a-copy", "svn status", "precondition", "working copy", {
      exit: "any",
      also: ["not_found", "error"],
    }),
    bad("svn", "checkout-refused", "svn checkout http://127.0.0.1:@closed@/repo", "network", "@closed@", {}),
    bad("hg", "not-a-repository", "hg status", "precondition", "no repository found", { also: ["not_found", "error"] }),
    bad("hg", "unknown-command", "hg comit", "invalid_arguments", "comit", { also: ["not_found"] }),
    fine("hg", "nothing", "hg init . && hg status", {}),
  ],
};
