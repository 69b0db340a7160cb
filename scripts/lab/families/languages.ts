// Interpreters other than Python and Node: Ruby, PHP, Perl, Lua, Tcl, R, Guile, Elixir, Prolog.
import { bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

const script =
  (program: string, file: string, run: string) =>
  (name: string, code: string, category: Category, fact: string, rest: Partial<Case> = {}) =>
    bad(program, name, run, category, fact, { files: { [file]: code }, ...rest });
const ruby = script("ruby", "@stem@.rb", "ruby @stem@.rb");
const php = script("php", "@stem@.php", "php @stem@.php");
const perl = script("perl", "@stem@.pl", "perl @stem@.pl");
const lua = script("lua5.4", "@stem@.lua", "lua5.4 @stem@.lua");
const tcl = script("tclsh", "@stem@.tcl", "tclsh @stem@.tcl");
const r = script("Rscript", "@stem@.R", "Rscript @stem@.R");
const guile = script("guile", "@stem@.scm", "guile --no-auto-compile @stem@.scm");
const elixir = script("elixir", "@stem@.exs", "elixir @stem@.exs");

export const LANGUAGES: Family = {
  name: "languages",
  cases: [
    ruby("raise", "def run\n  raise ArgumentError, '@msg@'\nend\nputs 'start'\nrun\n", "error", "@msg@"),
    ruby("name-error", "puts @id@x\n", "error", "@id@x", { also: ["not_found"] }),
    ruby("no-method", "nil.@stem@\n", "error", "@stem@", { also: ["not_found"] }),
    ruby("zero-division", "puts 1 / 0\n", "error", "divided by 0"),
    ruby("file-missing", "File.read('@missing@')\n", "not_found", "@missing@"),
    ruby("permission", "File.write('/etc/@file@', 'x')\n", "permission_denied", "/etc/@file@"),
    ruby("require-missing", "require '@mod@'\n", "not_found", "@mod@", { also: ["precondition"] }),
    ruby("syntax", "def run\n  if true\nend\n", "error", "@stem@.rb", { also: ["build_failure"] }),
    ruby("key-error", "{ a: 1 }.fetch(:@stem@)\n", "error", "@stem@", { also: ["not_found"] }),
    ruby("refused", "require 'net/http'\nNet::HTTP.get(URI('http://127.0.0.1:@closed@/'))\n", "network", "@closed@"),
    ruby("exit-message", "warn 'checking'\nabort '@msg@'\n", "error", "@msg@", { also: ["exit_code"] }),
    ruby("json", "require 'json'\nJSON.parse('{a')\n", "error", "JSON::ParserError"),
    ruby("chained", "begin\n  Integer('@stem@')\nrescue ArgumentError\n  raise '@msg@'\nend\n", "error", "@msg@"),
    ruby("stack", "def f = f\nf\n", "error", "stack level too deep", { also: ["crash"] }),
    bad("ruby", "script-missing", "ruby @missing@.rb", "not_found", "@missing@.rb"),
    bad("ruby", "bad-option", "ruby --@stem@", "invalid_arguments", "--@stem@"),
    fine("ruby", "rescued", "ruby a.rb", {
      files: {
        "a.rb": "begin\n  raise '@msg@'\nrescue => e\n  puts \"ignored: #{e.message}\"\nend\nputs 'done, 0 errors'\n",
      },
    }),
    fine("ruby", "warning", "ruby -w a.rb", { files: { "a.rb": "@x = 1\ndef f\n  y = 2\nend\nputs :ok\n" } }),

    php(
      "exception",
      "<?php\nfunction run() { throw new RuntimeException('@msg@'); }\necho \"start\\n\";\nrun();\n",
      "error",
      "@msg@",
    ),
    php("undefined-function", "<?php\n@stem@_run();\n", "error", "@stem@_run", { also: ["not_found"] }),
    php("type-error", "<?php\nfunction f(int $x) {}\nf('@stem@');\n", "error", "must be of type int", {
      also: ["invalid_arguments"],
    }),
    php("require-missing", "<?php\nrequire '@missing@';\n", "not_found", "@missing@"),
    php("syntax", "<?php\necho 'a'\necho 'b';\n", "error", "@stem@.php", { also: ["build_failure"] }),
    php("division", "<?php\necho intdiv(1, 0);\n", "error", "Division by zero"),
    php("class-missing", "<?php\nnew @type@Client();\n", "not_found", "@type@Client", { also: ["error"] }),
    php(
      "memory",
      "<?php\nini_set('memory_limit', '8M');\n$a = str_repeat('x', 20000000);\n",
      "crash",
      "Allowed memory size",
      { also: ["error", "oversized"] },
    ),
    php("exit", '<?php\nfwrite(STDERR, "fatal: @msg@\\n");\nexit(3);\n', "error", "@msg@", { also: ["exit_code"] }),
    php("pdo", "<?php\nnew PDO('pgsql:host=127.0.0.1;port=@closed@');\n", "error", "could not find driver", {
      also: ["network", "not_found", "precondition"],
    }),
    php("json", "<?php\njson_decode('{', false, 5, JSON_THROW_ON_ERROR);\n", "error", "Syntax error"),
    bad("php", "script-missing", "php @missing@.php", "not_found", "@missing@.php"),
    fine("php", "warning-only", "php a.php", { files: { "a.php": '<?php\necho $@id@;\necho "done\\n";\n' } }),
    fine("php", "caught", "php a.php", {
      files: {
        "a.php":
          "<?php\ntry { throw new Exception('@msg@'); } catch (Exception $e) { echo 'handled: ', $e->getMessage(), PHP_EOL; }\n",
      },
    }),
    bad("composer", "no-file", "composer install --no-interaction", "not_found", "composer.json", {
      also: ["precondition", "error"],
      seeds: 1,
    }),
    bad("composer", "invalid-file", "composer validate", "error", "composer.json", {
      files: { "composer.json": '{ "name": }' },
      seeds: 1,
      also: ["invalid_arguments"],
    }),

    perl("die", 'print "start\\n";\ndie "@msg@";\n', "error", "@msg@"),
    perl("module-missing", "use @type@::Client;\n", "not_found", "@type@/Client.pm", { also: ["precondition"] }),
    perl("undefined-sub", "@stem@();\n", "error", "@stem@", { also: ["not_found"] }),
    perl("strict", "use strict;\n$@id@ = 1;\n", "error", "@id@", { also: ["build_failure"] }),
    perl("open", "open(my $f, '<', '@missing@') or die \"cannot open @missing@: $!\";\n", "not_found", "@missing@"),
    perl("syntax", "if (1) {\n  print 'x';\n", "error", "@stem@.pl", { also: ["build_failure"] }),
    perl("division", "my $x = 0; print 1 / $x;\n", "error", "division by zero"),
    perl("method", "my $x; $x->@stem@;\n", "error", "@stem@"),
    bad("perl", "script-missing", "perl @missing@.pl", "not_found", "@missing@.pl"),
    fine("perl", "warning", "perl -w a.pl", {
      files: { "a.pl": 'my $x; print "value: $x\\n"; print "no errors\\n";\n' },
    }),
    fine("perl", "eval", "perl a.pl", {
      files: { "a.pl": 'eval { die "@msg@\\n" }; print "caught: $@"; print "ok\\n";\n' },
    }),

    lua("error", "local function run() error('@msg@') end\nrun()\n", "error", "@msg@"),
    lua("nil-index", "local o = nil\nprint(o.@id@)\n", "error", "attempt to index a nil value"),
    lua("nil-call", "@id@()\n", "error", "@id@"),
    lua("module", "require('@mod@')\n", "not_found", "@mod@", { also: ["precondition"] }),
    lua("syntax", "if true then\n", "error", "@stem@.lua", { also: ["build_failure"] }),
    bad("lua5.4", "script-missing", "lua5.4 @missing@.lua", "not_found", "@missing@.lua"),
    fine("lua5.4", "pcall", "lua5.4 a.lua", {
      files: { "a.lua": "print(pcall(error, '@msg@'))\nprint('recovered')\n" },
    }),
    tcl("error", "puts start\nerror {@msg@}\n", "error", "@msg@"),
    tcl("command", "@stem@ run\n", "not_found", "@stem@", { also: ["error", "invalid_arguments"] }),
    tcl("variable", "puts $@id@\n", "error", "@id@", { also: ["not_found"] }),
    tcl("file", "open @missing@ r\n", "not_found", "@missing@"),
    r("stop", "f <- function() stop('@msg@')\nf()\n", "error", "@msg@"),
    r("object", "print(@id@)\n", "error", "@id@", { also: ["not_found"] }),
    r("package", "library(@stem@kit)\n", "not_found", "@stem@kit", { also: ["precondition"] }),
    r("file", "read.csv('@missing@')\n", "not_found", "@missing@"),
    r("argument", "sqrt('@stem@')\n", "error", "non-numeric argument", { also: ["invalid_arguments"] }),
    bad("Rscript", "localized", "Rscript a.R", "not_found", "@id@", {
      files: { "a.R": "print(@id@)\n" },
      also: ["error"],
      localized: true,
      seeds: 1,
    }),
    fine("Rscript", "warning", "Rscript a.R", { files: { "a.R": "x <- as.numeric('@stem@')\ncat('errors: 0\\n')\n" } }),
    guile("throw", '(error "@msg@")\n', "error", "@msg@"),
    guile("unbound", "(display @id@)\n", "error", "@id@", { also: ["not_found"] }),
    elixir("raise", 'raise ArgumentError, "@msg@"\n', "error", "@msg@", { seeds: 1 }),
    elixir("undefined", "IO.puts(@stem@)\n", "error", "@stem@", { also: ["build_failure", "not_found"], seeds: 1 }),
    elixir("match", "{:ok, x} = {:error, :@stem@}\n", "error", "no match of right hand side", { seeds: 1 }),
    elixir("file", 'File.read!("@missing@")\n', "not_found", "@missing@", { seeds: 1 }),
    fine("elixir", "prints", "elixir a.exs", {
      seeds: 1,
      files: { "a.exs": 'IO.inspect({:error, :enoent})\nIO.puts("handled")\n' },
    }),
    bad("swipl", "goal", "swipl -g '@stem@(1)' -t halt a.pl", "error", "@stem@", {
      files: { "a.pl": "a(1).\n" },
      also: ["not_found"],
    }),
    bad("awk", "division", "awk 'BEGIN { x = 0; print 1 / x }'", "error", "division by zero", {}),
    bad("bc", "undefined", "echo 'x = 1; @stem@q(3)' | bc 2>&1 | grep . && false", "error", "@stem@q", {
      maskable: false,
      also: ["not_found"],
    }),
  ],
};
