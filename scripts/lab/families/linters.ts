// Linters, formatters and type checkers: findings make the check fail; warnings alone do not.
import { bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

const BUILD: Category = "build_failure";
const findings = { also: ["test_failure", "error", "exit_code"], convention: "linter-findings" } as const;
const check = { also: ["test_failure", "error", "exit_code", "precondition"], convention: "format-check" } as const;
const lint = (
  program: string,
  name: string,
  run: string,
  fact: string,
  files: Readonly<Record<string, string>>,
  rest: Partial<Case> = {},
) => bad(program, name, run, BUILD, fact, { files, signs: ["error", "problem", "Found"], ...findings, ...rest });

const ESLINT = "module.exports = [{ rules: { 'no-undef': 'error', 'no-unused-vars': '@level@', eqeqeq: 'warn' } }];\n";

export const LINTERS: Family = {
  name: "linters",
  cases: [
    lint("eslint", "undef", "eslint src", "@id@", {
      "eslint.config.cjs": ESLINT.replace("@level@", "error"),
      "src/@stem@.js": "@id@();\nconst x = 1;\n",
    }),
    lint("eslint", "parse", "eslint src", "Parsing error", {
      "eslint.config.cjs": ESLINT.replace("@level@", "error"),
      "src/@stem@.js": "const = 1;\n",
    }),
    lint(
      "eslint",
      "unix-like",
      "eslint -f json src",
      "@id@",
      { "eslint.config.cjs": ESLINT.replace("@level@", "error"), "src/@stem@.js": "@id@();\n" },
      { seeds: 1 },
    ),
    lint("eslint", "max-warnings", "eslint --max-warnings 0 src", "too many warnings", {
      "eslint.config.cjs": ESLINT.replace("@level@", "warn"),
      "src/@stem@.js": "const @id@ = 1;\n",
    }),
    bad("eslint", "no-config", "eslint src", "not_found", "eslint.config", {
      files: { "src/a.js": "1;\n" },
      also: ["precondition", "error"],
    }),
    bad("eslint", "no-files", "eslint @dir@", "not_found", "@dir@", {
      files: { "eslint.config.cjs": "module.exports = [];\n" },
      also: ["error", "invalid_arguments"],
    }),
    bad("eslint", "bad-rule", "eslint src", "error", "no-@stem@", {
      files: { "eslint.config.cjs": "module.exports = [{ rules: { 'no-@stem@': 'error' } }];\n", "src/a.js": "1;\n" },
      also: ["not_found", "invalid_arguments", BUILD],
    }),
    bad("eslint", "bad-option", "eslint --@stem@ src", "invalid_arguments", "--@stem@", {}),
    fine("eslint", "clean", "eslint src", {
      files: { "eslint.config.cjs": "module.exports = [];\n", "src/a.js": "throw new Error('x');\n" },
      seeds: 1,
    }),
    fine("eslint", "warnings-only", "eslint src", {
      files: {
        "eslint.config.cjs": ESLINT.replace("@level@", "warn"),
        "src/error.js": "const @id@ = 1;\nconst @id2@ = 2;\n",
      },
    }),
    lint("biome", "lint", "biome lint src", "@stem@.js", {
      "src/@stem@.js": "var a = 1;\nif (a == 2) { debugger; }\n",
    }),
    lint("biome", "format", "biome format src", "@stem@.js", { "src/@stem@.js": "const a   = {b:1}\n" }, check),
    bad("biome", "missing", "biome check @missing@", "not_found", "@missing@", { also: ["error"] }),
    fine("biome", "clean", "biome lint src", { files: { "src/error.js": 'export const error = "@msg@";\n' } }),
    lint(
      "prettier",
      "check",
      "prettier --check src",
      "src/@stem@.js",
      { "src/@stem@.js": "const a   = {b:1}\n" },
      check,
    ),
    bad("prettier", "syntax", "prettier --check src/@stem@.js", BUILD, "@stem@.js", {
      files: { "src/@stem@.js": "const = ;\n" },
      also: ["error"],
    }),
    bad("prettier", "no-files", "prettier --check @dir@", "not_found", "@dir@", { also: ["error"] }),
    fine("prettier", "formatted", "prettier --check src", { files: { "src/error.js": "throw new Error(1);\n" } }),
    fine("prettier", "write", "prettier --write src", { files: { "src/error.js": "throw   new Error(1)\n" } }),
    lint("stylelint", "block", "stylelint a.css", "a.css", {
      ".stylelintrc.json": '{"rules":{"block-no-empty":true,"color-no-invalid-hex":true}}',
      "a.css": "a { }\nb { color: #ggg; }\n",
    }),
    lint("markdownlint", "rules", "markdownlint @stem@.md", "@stem@.md", {
      "@stem@.md": "#Title\n\n\n\ntext  \n* a\n- b",
    }),
    lint("jshint", "undef", "jshint a.js", "a.js", { "a.js": "var x = (1;\n" }),
    lint("standard", "style", "standard a.js", "a.js", { "a.js": 'var x = "1";\n' }, { seeds: 1 }),
    lint("ruff", "unused", "ruff check .", "@mod@", { "@stem@.py": "import @mod@\n" }),
    lint("ruff", "undefined", "ruff check --output-format concise .", "@id@", { "@stem@.py": "print(@id@)\n" }),
    lint("ruff", "syntax", "ruff check .", "@stem@.py", { "@stem@.py": "def run(:\n    pass\n" }),
    lint("ruff", "format", "ruff format --check .", "@stem@.py", { "@stem@.py": "x   = 1\n" }, check),
    bad("ruff", "bad-rule", "ruff check --select @stem@ .", "invalid_arguments", "@stem@", {}),
    fine("ruff", "clean", "ruff check .", { files: { "errors.py": "class NotFoundError(Exception):\n    pass\n" } }),
    lint("flake8", "style", "flake8 @stem@.py", "@stem@.py", { "@stem@.py": "import os\nx=1\n" }),
    lint("flake8", "syntax", "flake8", "E999", { "@stem@.py": "def run(:\n" }),
    bad("flake8", "missing", "flake8 @missing@.py", "not_found", "@missing@.py", { also: [BUILD] }),
    fine("flake8", "clean", "flake8 --statistics --count error.py", { files: { "error.py": "error = None\n" } }),
    lint("pylint", "errors", "pylint -E @stem@.py", "@id@", { "@stem@.py": "print(@id@)\n" }, { seeds: 1 }),
    lint(
      "pylint",
      "all",
      "pylint @stem@.py",
      "@stem@.py",
      { "@stem@.py": "import os\ndef f(x):\n    return 1\n" },
      { seeds: 1 },
    ),
    lint("mypy", "type", "mypy @stem@.py", "@stem@.py", { "@stem@.py": "def f(x: int) -> str:\n    return x\n" }),
    lint("mypy", "attribute", "mypy @stem@.py", "@id@", { "@stem@.py": "class @type@: ...\n@type@().@id@\n" }),
    lint(
      "mypy",
      "missing-import",
      "mypy @stem@.py",
      "@mod@",
      { "@stem@.py": "import @mod@\n" },
      { also: ["not_found", "test_failure", "error", "precondition"] },
    ),
    bad("mypy", "missing-file", "mypy @missing@.py", "not_found", "@missing@.py", { also: [BUILD] }),
    fine("mypy", "clean", "mypy error.py", { files: { "error.py": "def fail(e: Exception) -> None: ...\n" } }),
    fine("mypy", "note-only", "mypy a.py", { files: { "a.py": "x: int = 1\nreveal_type(x)\n" } }),
    lint("black", "check", "black --check .", "@stem@.py", { "@stem@.py": "x   = {  'a':1 }\n" }, check),
    bad("black", "syntax", "black @stem@.py", BUILD, "@stem@.py", {
      files: { "@stem@.py": "def f(:\n" },
      also: ["error"],
    }),
    fine("black", "formats", "black @stem@.py", { files: { "@stem@.py": "raise   ValueError( 1 )\n" } }),
    lint("shellcheck", "quotes", "shellcheck @stem@.sh", "SC2086", { "@stem@.sh": "#!/bin/bash\nrm $1\ncd $@id@\n" }),
    lint("shellcheck", "syntax", "shellcheck @stem@.sh", "@stem@.sh", {
      "@stem@.sh": "#!/bin/bash\nif true; then\n  echo x\n",
    }),
    lint("shellcheck", "gcc-format", "shellcheck -f gcc @stem@.sh", "@stem@.sh", {
      "@stem@.sh": "#!/bin/bash\nrm $1\n",
    }),
    bad("shellcheck", "missing", "shellcheck @missing@.sh", "not_found", "@missing@.sh"),
    fine("shellcheck", "clean", "shellcheck a.sh", { files: { "a.sh": "#!/bin/bash\necho error >&2\n" } }),
    lint("yamllint", "error", "yamllint @stem@.yaml", "syntax error", { "@stem@.yaml": "a: [1\nb: 2\n" }),
    lint("yamllint", "style", "yamllint -s a.yaml", "a.yaml", { "a.yaml": "a:   1\n" }),
    fine("yamllint", "warnings-only", "yamllint a.yaml", { files: { "a.yaml": "on_error: retry\n" } }),
    lint("cppcheck", "null", "cppcheck --error-exitcode=1 a.c", "a.c", {
      "a.c": "int main(void) { int *p = 0; return *p; }\n",
    }),
    fine("cppcheck", "clean", "cppcheck error.c", { files: { "error.c": "int main(void) { return 0; }\n" } }),
    lint(
      "rubocop",
      "offenses",
      "rubocop @stem@.rb",
      "@stem@.rb",
      { "@stem@.rb": 'def x()\n  if true then puts "a" end\nend\n' },
      { seeds: 1, signs: ["offenses"] },
    ),
    lint(
      "php -l",
      "syntax",
      "php -l @stem@.php",
      "@stem@.php",
      { "@stem@.php": "<?php\n$a = ;\n" },
      { needs: ["php"] },
    ),
    fine("php -l", "clean", "php -l error.php", {
      needs: ["php"],
      files: { "error.php": "<?php throw new Exception('@msg@');\n" },
    }),
    lint("phpcs", "style", "phpcs a.php", "a.php", { "a.php": "<?php\n$a=1;\nif($a){echo 1;}\n" }, { seeds: 1 }),
    lint(
      "ruby -c",
      "syntax",
      "ruby -c @stem@.rb",
      "@stem@.rb",
      { "@stem@.rb": "def run\n  if true\nend\n" },
      { needs: ["ruby"] },
    ),
    fine("ruby -c", "clean", "ruby -c error.rb", { needs: ["ruby"], files: { "error.rb": "raise '@msg@'\n" } }),
    lint(
      "perl -c",
      "syntax",
      "perl -c @stem@.pl",
      "@stem@.pl",
      { "@stem@.pl": "use strict;\nmy $x = ;\n" },
      { needs: ["perl"] },
    ),
    fine("perl -c", "clean", "perl -c error.pl", { needs: ["perl"], files: { "error.pl": "die '@msg@';\n" } }),
    lint(
      "bash -n",
      "syntax",
      "bash -n @stem@.sh",
      "@stem@.sh",
      { "@stem@.sh": "if true; then\n" },
      { needs: ["bash"], localized: true },
    ),
    fine("bash -n", "clean", "bash -n a.sh && echo 'syntax OK: 0 errors'", {
      needs: ["bash"],
      files: { "a.sh": "exit 1\n" },
    }),
    lint("gofmt", "syntax", "gofmt -l .", "@stem@.go", { "@stem@.go": "package x\nfunc {\n" }),
    fine("gofmt", "lists", "gofmt -l .", { files: { "error.go": "package x\nfunc  f() {}\n" } }),
    lint(
      "clang-tidy",
      "null",
      "clang-tidy --warnings-as-errors='*' --checks='clang-analyzer-*' a.c --",
      "a.c",
      { "a.c": "int main(void) { int *p = 0; return *p; }\n" },
      { seeds: 1 },
    ),
  ],
};
