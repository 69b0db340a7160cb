import type { Category } from "../../model/outcome.ts";
import { programsOf, remember } from "../call/shell-command.ts";

/** Programs whose failures mean that code does not build, or that a check of it failed. */
const BUILDERS = new Set(
  "gcc cc g++ c++ clang clang++ ld tsc javac kotlinc scalac rustc ghc ocamlc ocamlopt csc swiftc gfortran nasm as cmake ninja meson bazel webpack vite rollup esbuild parcel eslint biome prettier ruff mypy pyright pylint flake8 black isort shellcheck stylelint golangci-lint gofmt staticcheck rubocop phpstan luacheck yamllint hadolint tslint standard jshint jsonlint protoc gofmt".split(
    " ",
  ),
);
const TESTERS = new Set(
  "pytest py.test jest vitest mocha ava tap rspec phpunit ctest bats busted prove tox nox minitest karma cypress playwright nose2 pest shunit2".split(
    " ",
  ),
);

/** Words after a program that runs many things: `cargo test`, `npm run build`, `go vet`. */
const BUILD_VERBS = new Set(
  "build compile vet check verify lint clippy fmt typecheck install-deps package assemble".split(" "),
);
const TEST_VERBS = new Set("test tests spec --test unittest doctest t nextest".split(" "));
const RUNNERS = new Set(
  "make cargo go npm yarn pnpm bun deno mvn mvnw gradle gradlew dotnet mix swift python python3 node ruby rake sbt lein stack cabal zig dart flutter npx poetry uv hatch just task composer bundle php".split(
    " ",
  ),
);

/** Interpreters that only check a file. */
const SYNTAX_CHECK = /\b(?:(?:ba|z|da)?sh -n|php -l|perl -c|node (?:--check|-c)|ruby -c|py_compile|compileall)\b/;

/** What the command was meant to do, as far as its first words show. */
export function purposeOf(command: string | undefined): Purpose {
  return command === undefined ? undefined : purposeOfCommand(command);
}

type Purpose = "build" | "test" | undefined;

const purposeOfCommand = remember((command): Purpose => {
  const programs = programsOf(command);
  if (programs.some((program) => TESTERS.has(program))) {
    return "test";
  }
  if (programs.some((program) => BUILDERS.has(program))) {
    return "build";
  }
  if (SYNTAX_CHECK.test(command.slice(0, 600)) || buildsImage(command)) {
    return "build";
  }
  if (!programs.some((program) => RUNNERS.has(program.replace(/^\.\//, "")))) {
    return undefined;
  }
  const words = command.slice(0, 600).split(/[\s:/]+/);
  if (words.some((word) => TEST_VERBS.has(word) || TESTERS.has(word))) {
    return "test";
  }
  return words.some((word) => BUILD_VERBS.has(word) || BUILDERS.has(word)) || programs.includes("make")
    ? "build"
    : undefined;
});

/** `docker build`, `docker buildx build`, `podman build`; what else runs in a container has another purpose. */
function buildsImage(command: string): boolean {
  // Most commands build nothing.
  const words = command.includes("build") ? command.slice(0, 600).split(" ") : [];
  return words.some(
    (word, index) => CONTAINERS.has(word) && (words[index + 1] === "build" || words[index + 2] === "build"),
  );
}
const CONTAINERS = new Set(["docker", "podman", "nerdctl"]);

/** Exceptions that mean only "the program failed". */
const GENERIC = new Set(
  "RuntimeError ValueError TypeError KeyError IndexError AttributeError NameError ZeroDivisionError ArithmeticError OverflowError LookupError UnboundLocalError NotImplementedError StopIteration UnicodeDecodeError UnicodeEncodeError ReferenceError RangeError EvalError RuntimeException NullPointerException IllegalStateException IllegalArgumentException ArrayIndexOutOfBoundsException IndexOutOfBoundsException NumberFormatException ClassCastException ArithmeticException InputMismatchException InvalidOperationException DivideByZeroException ArgumentException NoMethodError ArgumentError FrozenError LogicException DomainException JSONDecodeError ExceptionGroup AggregateError".split(
    " ",
  ),
);

/** The last words of these names. */
const GENERIC_ENDS: readonly string[] = [
  ...new Set([...GENERIC].map((name) => name.slice(name.search(/[A-Z][a-z]*$/)))),
];

/** Whether a program's exception has no finer category than `error`, whatever words its message contains. */
export function isGenericException(line: string): boolean {
  // Most lines contain none of the endings.
  if (!GENERIC_ENDS.some((end) => line.includes(end))) {
    return false;
  }
  for (const word of line.slice(0, 160).split(/[\s:.("'\\)[\]]+/, 12)) {
    if (GENERIC.has(word)) {
      return true;
    }
  }
  return false;
}

/** Categories whose words an exception of the program's own may contain by chance. */
const CHANCE: ReadonlySet<Category> = new Set<Category>(["precondition", "rate_limited", "cancelled", "oversized"]);

/** Programs that run a script, whose exceptions are not theirs. */
const INTERPRETERS = new Set(
  "node deno bun tsx ts-node python python3 ruby php perl java jshell lua Rscript dotnet elixir julia npm yarn pnpm".split(
    " ",
  ),
);

const OWN_EXCEPTION = /^(?:Uncaught |Unhandled )?(?:[A-Z]\w{0,60})?(?:Error|Exception): /;

/** Whether the line is an exception of a script, whose words describe its own data. */
export function isOwnException(line: string, category: Category | undefined, command: string | undefined): boolean {
  return (
    category !== undefined &&
    CHANCE.has(category) &&
    OWN_EXCEPTION.test(line) &&
    !/\b[45]\d\d\b/.test(line) &&
    command !== undefined &&
    programsOf(command).some((program) => INTERPRETERS.has(program))
  );
}
