// Compilers, linkers and what they build: errors by construction, warnings only, and programs that crash.
import { bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

const L = { localized: true } as const;
const BUILD: Category = "build_failure";

/** The same source through every C compiler; gcc speaks the languages of its packages. */
function c(name: string, code: string, fact: string, rest: Partial<Case> = {}): readonly Case[] {
  return ["gcc", "clang"].map((compiler) =>
    bad(compiler, name, `${compiler} -Wall -o app @stem@.c`, BUILD, fact, {
      files: { "@stem@.c": code },
      seeds: compiler === "gcc" ? 2 : 1,
      also: ["error"],
      signs: ["error", "collect2", "ld returned"],
      ...(compiler === "gcc" && L),
      ...rest,
    }),
  );
}

function cpp(name: string, code: string, fact: string, rest: Partial<Case> = {}): readonly Case[] {
  return ["g++", "clang++"].map((compiler) =>
    bad(compiler, name, `${compiler} -std=c++17 @stem@.cpp -o app`, BUILD, fact, {
      files: { "@stem@.cpp": code },
      seeds: 1,
      also: ["error"],
      signs: ["error"],
      ...rest,
    }),
  );
}

const one =
  (program: string, file: string, run: string) =>
  (name: string, code: string, fact: string, rest: Partial<Case> = {}) =>
    bad(program, name, run, BUILD, fact, { files: { [file]: code }, also: ["error"], signs: ["error"], ...rest });

const go = one("go", "main.go", "go build -o app main.go");
const rust = one("rustc", "@stem@.rs", "rustc @stem@.rs");
const java = one("javac", "Main.java", "javac Main.java");
const ts = one("tsc", "src/@stem@.ts", "tsc --noEmit --strict --target es2022 src/@stem@.ts");

/** Compiles quietly, then runs: the failure is the program's. */
function crash(name: string, code: string, category: Category, fact: string, rest: Partial<Case> = {}): Case {
  return bad("c-program", name, "./app", category, fact, {
    needs: ["g++"],
    files: { "app.cpp": code },
    setup: "g++ -g -w -std=c++17 @flags@ app.cpp -o app".replace(
      " @flags@",
      name.startsWith("asan")
        ? " -fsanitize=address"
        : name.startsWith("ubsan")
          ? " -fsanitize=undefined -fno-sanitize-recover"
          : "",
    ),
    maskable: false,
    ...rest,
  });
}

export const COMPILERS: Family = {
  name: "compilers",
  cases: [
    ...c("undeclared", "int main(void) {\n  return @id@;\n}\n", "@id@"),
    ...c("missing-semicolon", "int main(void) {\n  int x = 1\n  return x;\n}\n", "@stem@.c"),
    ...c("missing-header", '#include "@mod@.h"\nint main(void) { return 0; }\n', "@mod@.h", { also: ["not_found"] }),
    ...c("wrong-arguments", "int add(int a, int b) { return a + b; }\nint main(void) {\n  return add(1);\n}\n", "add"),
    ...c("unknown-type", "@type@ x;\nint main(void) { return 0; }\n", "@type@"),
    ...c("redefinition", "int @id@ = 1;\nint @id@ = 2;\nint main(void) { return 0; }\n", "@id@"),
    ...c("undefined-reference", "int @id@(int);\nint main(void) { return @id@(2); }\n", "@id@"),
    ...c("no-main", "int helper(void) { return 1; }\n", "main"),
    ...c("hash-error", '#error "@msg@"\nint main(void) { return 0; }\n', "@msg@"),
    ...c("no-member", "struct order { int id; };\nint main(void) { struct order o = {1}; return o.@id@; }\n", "@id@"),
    ...c("const-write", "int main(void) {\n  const int @id@ = 1;\n  @id@ = 2;\n  return 0;\n}\n", "@id@"),
    ...c("unclosed-brace", "int main(void) {\n  if (1) {\n  return 0;\n}\n", "@stem@.c"),
    ...c("warnings-as-errors", "int main(void) {\n  int @id@ = 3;\n  return 0;\n}\n", "@id@", {
      run: "gcc -Wall -Werror @stem@.c",
    }).slice(0, 1),
    bad("gcc", "missing-file", "gcc @missing@.c -o app", "not_found", "@missing@.c", { ...L, also: [BUILD] }),
    bad("gcc", "no-input", "gcc -O2", "invalid_arguments", "gcc", { ...L, also: [BUILD, "error"] }),
    bad("gcc", "bad-option", "gcc -fno-such-@stem@ x.c", "invalid_arguments", "-fno-such-@stem@", {
      ...L,
      files: { "x.c": "int main(){}\n" },
      also: [BUILD],
    }),
    bad("gcc", "missing-library", "gcc x.c -l@stem@", BUILD, "-l@stem@", {
      ...L,
      files: { "x.c": "int main(){return 0;}\n" },
      also: ["not_found", "error"],
    }),
    bad("clang", "missing-file", "clang @missing@.c", "not_found", "@missing@.c", { also: [BUILD] }),
    bad("ld", "missing-object", "ld @missing@.o", "not_found", "@missing@.o", { ...L, also: [BUILD] }),
    bad("ar", "missing-archive", "ar t lib@stem@.a", "not_found", "lib@stem@.a", { ...L, also: [BUILD] }),
    bad("nm", "no-object", "nm @file@", "error", "@file@", {
      ...L,
      files: { "@file@": "text" },
      also: ["invalid_arguments"],
    }),
    bad("objdump", "missing", "objdump -d @missing@", "not_found", "@missing@", L),
    bad("as", "bad-instruction", "as x.s", BUILD, "x.s", {
      ...L,
      files: { "x.s": "  frobnicate %eax\n" },
      also: ["error"],
    }),
    ...cpp("undeclared", "#include <iostream>\nint main() {\n  std::cout << @id@;\n}\n", "@id@"),
    ...cpp("no-conversion", "#include <string>\nint main() {\n  std::string @id@ = 5;\n}\n", "@stem@.cpp"),
    ...cpp("no-member", "#include <vector>\nint main() {\n  std::vector<int> v;\n  v.@id@(1);\n}\n", "@id@"),
    ...cpp(
      "template",
      "template <typename T> T twice(T x) { return x * 2; }\nstruct @type@ {};\nint main() { twice(@type@{}); }\n",
      "@type@",
    ),
    ...cpp("abstract", "struct @type@ { virtual void run() = 0; };\nint main() { @type@ x; }\n", "@type@"),
    ...cpp(
      "undefined-reference",
      "struct @type@ { void run(); };\nint main() { @type@ x; x.run(); }\n",
      "@type@::run",
      { signs: ["ld returned", "linker command failed"] },
    ),
    ...cpp("private", "class @type@ { int @id@; };\nint main() { @type@ x; return x.@id@; }\n", "@id@"),
    ...cpp("static-assert", 'static_assert(sizeof(int) == 3, "@msg@");\nint main() {}\n', "@msg@"),

    go("unused-variable", "package main\n\nfunc main() {\n\t@id@ := 1\n}\n", "@id@"),
    go("unused-import", 'package main\n\nimport "os"\n\nfunc main() {}\n', "imported and not used"),
    go("undefined", "package main\n\nfunc main() {\n\t@id@()\n}\n", "undefined: @id@"),
    go("type-mismatch", 'package main\n\nfunc main() {\n\tvar x int = "@stem@"\n\t_ = x\n}\n', "cannot use"),
    go("syntax", "package main\n\nfunc main() {\n\tx := [1, 2\n}\n", "syntax error"),
    go("missing-return", "package main\n\nfunc @stem@() int {\n}\n\nfunc main() { @stem@() }\n", "missing return"),
    go("missing-package", 'package main\n\nimport "@host@/@stem@"\n\nfunc main() { @stem@.Run() }\n', "@host@/@stem@", {
      also: ["not_found", "error", "precondition", "network"],
    }),
    bad("go", "missing-file", "go run @missing@.go", "not_found", "@missing@.go", { also: [BUILD] }),
    bad("go", "no-module", "go build ./...", "precondition", "main module", { also: ["not_found", "error", BUILD] }),
    bad("go", "unknown-command", "go biuld", "invalid_arguments", "biuld", { also: ["not_found"] }),
    bad("go", "panic", "go run main.go", "crash", "@msg@", {
      files: { "main.go": 'package main\n\nfunc main() {\n\tpanic("@msg@")\n}\n' },
      also: ["error"],
    }),
    bad("go", "nil-map", "go run main.go", "crash", "assignment to entry in nil map", {
      files: { "main.go": 'package main\n\nfunc main() {\n\tvar m map[string]int\n\tm["@id@"] = 1\n}\n' },
      also: ["error"],
    }),
    bad("go", "index", "go run main.go", "crash", "index out of range", {
      files: { "main.go": "package main\n\nfunc main() {\n\ts := []int{1}\n\ti := @n@\n\tprintln(s[i])\n}\n" },
      also: ["error"],
    }),
    bad("go", "deadlock", "go run main.go", "crash", "all goroutines are asleep", {
      files: { "main.go": "package main\n\nfunc main() {\n\tc := make(chan int)\n\t<-c\n}\n" },
      also: ["error"],
    }),
    bad("go", "log-fatal", "go run main.go", "error", "@msg@", {
      files: { "main.go": 'package main\n\nimport "log"\n\nfunc main() {\n\tlog.Fatal("@msg@")\n}\n' },
      also: ["exit_code"],
    }),
    bad("go", "vet", "go vet main.go", BUILD, "Printf", {
      files: { "main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Printf("%d\\n", "@stem@")\n}\n' },
      also: ["error", "test_failure"],
    }),

    rust("undefined", 'fn main() {\n    println!("{}", @id@);\n}\n', "@id@"),
    rust("mismatched", 'fn main() {\n    let x: i32 = "@stem@";\n}\n', "mismatched types"),
    rust(
      "borrow",
      'fn main() {\n    let s = String::from("@stem@");\n    let t = s;\n    println!("{} {}", s, t);\n}\n',
      "borrow of moved value",
    ),
    rust("unresolved-import", "use @mod@::run;\nfn main() {}\n", "@mod@", { also: ["not_found", "error"] }),
    rust("missing-semicolon", 'fn main() {\n    let x = 5\n    println!("{}", x);\n}\n', "expected `;`"),
    rust("trait", 'struct @type@;\nfn main() {\n    println!("{}", @type@);\n}\n', "@type@"),
    rust(
      "lifetime",
      "fn longest(a: &str, b: &str) -> &str {\n    if a.len() > b.len() { a } else { b }\n}\nfn main() {}\n",
      "lifetime",
    ),
    bad("rustc", "missing-file", "rustc @missing@.rs", "not_found", "@missing@.rs", { also: [BUILD] }),
    bad("rustc", "panic", "./app", "crash", "@msg@", {
      files: { "a.rs": 'fn main() {\n    panic!("@msg@");\n}\n' },
      setup: "rustc -o app a.rs",
      also: ["error"],
    }),
    bad("rustc", "unwrap", "./app", "not_found", "@missing@", {
      files: {
        "a.rs":
          'fn main() {\n    let t = std::fs::read_to_string("@missing@").expect("cannot read @missing@");\n    println!("{}", t);\n}\n',
      },
      setup: "rustc -o app a.rs",
      also: ["crash", "error"],
    }),
    bad("rustc", "index", "./app", "crash", "index out of bounds", {
      files: {
        "a.rs": 'fn main() {\n    let v = vec![1, 2];\n    let i = v.len() + @n@;\n    println!("{}", v[i]);\n}\n',
      },
      setup: "rustc -o app a.rs",
      also: ["error"],
    }),

    java(
      "undefined",
      "public class Main {\n  public static void main(String[] a) {\n    System.out.println(@id@);\n  }\n}\n",
      "cannot find symbol",
    ),
    java("incompatible", 'public class Main {\n  int @id@ = "x";\n}\n', "incompatible types"),
    java("missing-semicolon", "public class Main {\n  int x = 1\n}\n", "';' expected"),
    java(
      "unreported",
      'public class Main {\n  void run() { throw new Exception("@msg@"); }\n}\n',
      "unreported exception",
    ),
    java("missing-package", "import com.@stem@.Client;\npublic class Main {}\n", "com.@stem@", {
      also: ["not_found", "error"],
    }),
    java("wrong-file", "public class @type@X {}\n", "@type@X"),
    java("missing-return", "public class Main {\n  int @id@() { }\n}\n", "missing return statement"),
    bad("javac", "missing-file", "javac @missing@.java", "not_found", "@missing@.java", {
      also: [BUILD, "invalid_arguments"],
    }),
    bad("javac", "bad-flag", "javac --@stem@ Main.java", "invalid_arguments", "--@stem@", {
      files: { "Main.java": "class Main {}\n" },
    }),
    bad("java", "exception", "java Main.java", "error", "@msg@", {
      files: {
        "Main.java":
          'public class Main {\n  public static void main(String[] a) {\n    throw new IllegalStateException("@msg@");\n  }\n}\n',
      },
    }),
    bad("java", "null-pointer", "java Main.java", "error", "NullPointerException", {
      files: {
        "Main.java":
          "public class Main {\n  public static void main(String[] a) {\n    String @id@ = null;\n    System.out.println(@id@.length());\n  }\n}\n",
      },
    }),
    bad("java", "caused-by", "java Main.java", "error", "@msg@", {
      files: {
        "Main.java":
          'public class Main {\n  public static void main(String[] a) {\n    try { Integer.parseInt("@stem@"); } catch (NumberFormatException e) { throw new RuntimeException("@msg@", e); }\n  }\n}\n',
      },
    }),
    bad("java", "bounds", "java Main.java", "error", "out of bounds", {
      files: {
        "Main.java":
          "public class Main {\n  public static void main(String[] a) {\n    int[] x = new int[2];\n    System.out.println(x[@n@ + 5]);\n  }\n}\n",
      },
    }),
    bad("java", "class-missing", "java @type@App", "not_found", "@type@App", { also: ["error"] }),
    bad("java", "jar-missing", "java -jar @stem@.jar", "not_found", "@stem@.jar", { also: ["error"] }),
    bad("java", "bad-option", "java -Xmx@stem@ Main", "invalid_arguments", "-Xmx@stem@", { also: ["error"] }),
    bad("java", "heap", "java -Xmx16m Main.java", "crash", "OutOfMemoryError", {
      seeds: 1,
      also: ["error"],
      files: {
        "Main.java":
          "import java.util.*;\npublic class Main {\n  public static void main(String[] a) {\n    List<byte[]> l = new ArrayList<>();\n    while (true) l.add(new byte[1000000]);\n  }\n}\n",
      },
    }),

    ts("type-mismatch", "const @id@: number = 'x';\nexport { @id@ };\n", "not assignable to type 'number'"),
    ts(
      "missing-property",
      "interface @type@ { id: string; @id@: number }\nexport const x: @type@ = { id: 'a' };\n",
      "@id@",
    ),
    ts("no-property", "const o = { a: 1 };\nconsole.log(o.@id@);\nexport {};\n", "@id@"),
    ts("cannot-find-name", "export const a = @id@ + 1;\n", "Cannot find name '@id@'"),
    ts("cannot-find-module", "import x from '@pkg@';\nexport { x };\n", "@pkg@", {
      also: ["not_found", "error", "precondition"],
    }),
    ts(
      "wrong-arity",
      "function load(a: string, b: number) { return a + b; }\nload('@stem@');\nexport {};\n",
      "Expected 2 arguments",
    ),
    ts("implicit-any", "export function @id@(x) { return x; }\n", "implicitly has an 'any' type"),
    ts("syntax", "export const a = {;\n", "@stem@.ts"),
    ts(
      "possibly-undefined",
      "const m = new Map<string, string>();\nexport const n = m.get('@stem@').length;\n",
      "possibly 'undefined'",
    ),
    bad("tsc", "missing-file", "tsc --noEmit src/@missing@.ts", "not_found", "@missing@.ts", { also: [BUILD] }),
    bad("tsc", "project-missing", "tsc -p @dir@/tsconfig.json", "not_found", "@dir@/tsconfig.json", { also: [BUILD] }),
    bad("tsc", "bad-option", "tsc --stric", "invalid_arguments", "--stric", { also: [BUILD] }),
    bad("tsc", "many-errors", "tsc -p .", BUILD, "src/a.ts", {
      files: {
        "tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true},"include":["src"]}',
        "src/a.ts": "export const a: string = 1;\nexport const b: number = 'x';\n",
        "src/b.ts": "import { c } from './a';\nexport const @id@: boolean = c;\n",
      },
      also: ["error"],
      signs: ["error TS"],
    }),
    bad("tsc", "no-inputs", "tsc -p .", BUILD, "No inputs were found", {
      files: { "tsconfig.json": '{"include":["lib"]}' },
      also: ["not_found", "precondition", "error"],
    }),
    bad("esbuild", "unresolved", "esbuild src/main.ts --bundle --outfile=out.js", BUILD, "./@mod@", {
      files: { "src/main.ts": "import { run } from './@mod@';\nrun();\n" },
      also: ["not_found", "error"],
    }),
    bad("esbuild", "syntax", "esbuild src/main.ts", BUILD, "src/main.ts", {
      files: { "src/main.ts": "let x = (1;\n" },
      also: ["error"],
    }),
    bad("webpack", "unresolved", "webpack --mode production", BUILD, "./@mod@", {
      files: { "src/index.js": "import './@mod@';\n", "package.json": "{}" },
      also: ["not_found", "error"],
      seeds: 1,
    }),
    bad("rollup", "unresolved", "rollup src/main.js -o out.js -f es", BUILD, "./@mod@", {
      files: { "src/main.js": "import { x } from './@mod@';\nconsole.log(x);\n", "package.json": '{"type":"module"}' },
      also: ["not_found", "error"],
    }),
    bad("vite", "unresolved", "vite build", BUILD, "@mod@", {
      files: {
        "index.html": '<script type="module" src="/src/main.js"></script>\n',
        "src/main.js": "import './@mod@.js';\n",
        "package.json": "{}",
      },
      also: ["not_found", "error"],
      seeds: 1,
    }),
    bad("gfortran", "syntax", "gfortran x.f90", BUILD, "x.f90", {
      files: { "x.f90": "program @stem@\n  integer :: a = \nend program\n" },
      also: ["error"],
      ...L,
    }),
    bad("ocamlc", "type", "ocamlc x.ml", BUILD, "x.ml", {
      files: { "x.ml": 'let @stem@ = 1 + "a"\n' },
      also: ["error"],
    }),
    bad("ghc", "scope", "ghc Main.hs", BUILD, "@id@", {
      files: { "Main.hs": "main :: IO ()\nmain = print @id@\n" },
      also: ["error"],
    }),
    bad("mcs", "undefined", "mcs Program.cs", BUILD, "@id@", {
      files: { "Program.cs": "class P { static void Main() { System.Console.WriteLine(@id@); } }\n" },
      also: ["error"],
    }),
    bad("nasm", "syntax", "nasm -f elf64 x.asm", BUILD, "x.asm", {
      files: { "x.asm": "section .text\n  movv eax, 1\n" },
      also: ["error"],
    }),

    crash("segfault", "int main() { int *p = 0; *p = 1; }\n", "crash", "./app", {
      ...L,
      exit: 139,
      run: "./app; exit $?",
      signs: ["Segmentation"],
    }),
    crash("abort", "#include <cstdlib>\nint main() { std::abort(); }\n", "crash", "./app", {
      ...L,
      exit: 134,
      run: "./app; exit $?",
      signs: ["Aborted"],
    }),
    crash("divide", "int main(int n, char**) { return 5 / (n - 1); }\n", "crash", "./app", {
      ...L,
      exit: 136,
      run: "./app; exit $?",
      signs: ["Floating"],
    }),
    crash("uncaught", '#include <stdexcept>\nint main() { throw std::runtime_error("@msg@"); }\n', "crash", "@msg@", {
      also: ["error"],
    }),
    crash(
      "uncaught-vector",
      "#include <vector>\nint main() { std::vector<int> v; return v.at(@n@); }\n",
      "crash",
      "out_of_range",
      { also: ["error"] },
    ),
    crash(
      "assert",
      '#include <cassert>\nint main() { int @id@ = 0; assert(@id@ > 1 && "@msg@"); }\n',
      "crash",
      "@msg@",
      { also: ["error", "test_failure"] },
    ),
    crash(
      "asan-overflow",
      "#include <cstdlib>\nint main() { char *p = (char*)malloc(4); p[9] = 1; return p[9]; }\n",
      "crash",
      "heap-buffer-overflow",
      { seeds: 1, also: ["error"] },
    ),
    crash(
      "asan-use-after-free",
      "int main() { int *p = new int(1); delete p; return *p; }\n",
      "crash",
      "heap-use-after-free",
      { seeds: 1, also: ["error"] },
    ),
    crash("asan-leak", "int main() { new int[100]; return 0; }\n", "crash", "detected memory leaks", {
      seeds: 1,
      also: ["error", "exit_code"],
      exit: "any",
    }),
    crash(
      "ubsan-overflow",
      "#include <climits>\nint main(int n, char**) { int x = INT_MAX; return x + n; }\n",
      "crash",
      "signed integer overflow",
      { seeds: 1, also: ["error"] },
    ),
    crash("library-missing", "int main() {}\n", "not_found", "lib@stem@.so", {
      setup:
        "echo 'int f(){return 1;}' > l.c; gcc -shared -fPIC -o lib@stem@.so l.c; echo 'int f();int main(){return f();}' > m.c; gcc m.c -L. -l@stem@ -o app; rm lib@stem@.so",
      also: ["error", "precondition"],
    }),
    bad("valgrind", "invalid-read", "valgrind --error-exitcode=9 ./app", "crash", "Invalid read", {
      files: {
        "a.c": "#include <stdlib.h>\nint main() { int *p = malloc(4); int x = p[3]; free(p); return x > 0; }\n",
      },
      setup: "gcc -g a.c -o app",
      also: ["error", "test_failure"],
      seeds: 1,
    }),

    fine("gcc", "warnings-only", "gcc -Wall -Wextra -o app x.c", {
      files: { "x.c": "int main(void) {\n  int @id@;\n  int @stem@ = 2;\n  return 0;\n}\n" },
      ...L,
    }),
    fine("gcc", "silent", "gcc -o app x.c", { files: { "x.c": "int main(void) { return 0; }\n" } }),
    fine("gcc", "note", "gcc -fopt-info-vec -O3 -c x.c && echo compiled", {
      files: { "x.c": "void f(float*a,float*b){for(int i=0;i<64;i++)a[i]+=b[i];}\n" },
    }),
    fine("gcc", "pragma-message", "gcc -c x.c", {
      files: { "x.c": '#pragma message "error handling is off"\nint main(void) { return 0; }\n' },
    }),
    fine("clang", "warnings-only", "clang -Wall -o app x.c", {
      files: { "x.c": "int main(void) {\n  int @id@ = 4;\n  return 0;\n}\n" },
    }),
    fine("g++", "warning-return", "g++ -Wall -c x.cpp", { files: { "x.cpp": "int @stem@() { }\n" }, ...L }),
    fine("go", "run", "go run main.go", {
      files: {
        "main.go":
          'package main\n\nimport ("errors"; "fmt")\n\nfunc main() {\n\terr := errors.New("@msg@")\n\tfmt.Println("handled:", err)\n}\n',
      },
    }),
    fine("go", "vet", "go vet main.go && echo 'vet: no problems'", {
      files: { "main.go": "package main\n\nfunc main() {}\n" },
    }),
    fine("rustc", "warnings-only", "rustc x.rs", {
      files: { "x.rs": "fn main() {\n    let @stem@ = 1;\n}\nfn error_unused() {}\n" },
    }),
    fine("javac", "notes", "javac Main.java", {
      files: {
        "Main.java":
          "import java.util.*;\npublic class Main {\n  List error = new ArrayList();\n  void f() { error.add(1); }\n}\n",
      },
    }),
    fine("java", "prints", "java Main.java", {
      files: {
        "Main.java":
          'public class Main {\n  public static void main(String[] a) {\n    try { Integer.parseInt("x"); } catch (NumberFormatException e) { System.out.println("ignored: " + e); }\n    System.out.println("0 failures");\n  }\n}\n',
      },
    }),
    fine("tsc", "silent", "tsc --noEmit src/a.ts", {
      files: { "src/a.ts": "export const error: string = '@msg@';\n" },
    }),
    fine("tsc", "listed", "tsc --noEmit --listFiles src/errors.ts | tail -1", {
      files: { "src/errors.ts": "export const a = 1;\n" },
      maskable: false,
    }),
    fine("esbuild", "bundle", "esbuild src/errors.ts --bundle --outfile=out.js", {
      files: { "src/errors.ts": "console.log('@msg@');\n" },
    }),
    fine("esbuild", "warnings-only", "esbuild src/a.js --outfile=out.js", {
      files: { "src/a.js": "if (x == -0) console.log('@msg@');\nconst o = { a: 1, a: 2 };\n" },
    }),
    fine("webpack", "done", "webpack --mode development", {
      files: { "src/index.js": "throw new Error('@msg@');\n", "package.json": "{}" },
      seeds: 1,
    }),
    fine("vite", "done", "vite build", {
      files: {
        "index.html": '<script type="module" src="/src/main.js"></script>\n',
        "src/main.js": "console.error('@msg@');\n",
        "package.json": "{}",
      },
      seeds: 1,
    }),
    fine("c-program", "prints-errors", "./app", {
      needs: ["gcc"],
      files: {
        "a.c":
          '#include <stdio.h>\nint main(void) { fprintf(stderr, "warning: @msg@\\n"); puts("error count: 0"); return 0; }\n',
      },
      setup: "gcc a.c -o app",
    }),
    fine("valgrind", "clean", "valgrind ./app", {
      files: { "a.c": "int main(void) { return 0; }\n" },
      setup: "gcc -g a.c -o app",
      seeds: 1,
    }),
  ],
};
