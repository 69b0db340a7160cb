// Test runners of ten languages: failing assertions, thrown errors, broken files, no tests, and suites with 0 failures.
import { answer, bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

// A folder of links, not a link to the folder: runners write caches into it.
const MODULES = "mkdir node_modules && ln -s @cache@/npm/node_modules/* node_modules/";
const TEST: Category = "test_failure";

interface Runner {
  readonly program: string;
  readonly needs?: readonly string[];
  readonly run: string;
  readonly file: string;
  readonly setup?: string;
  readonly extra?: Readonly<Record<string, string>>;
  /** Source of a test file with one failing assertion of `@big@` against 17. */
  readonly failing: string;
  /** Shown when the assertion fails. */
  readonly fact?: string;
  readonly throwing: string;
  readonly broken?: string;
  readonly brokenFact?: string;
  readonly passing: string;
  readonly summary: string;
  readonly seeds?: number;
}

/** Four states of one suite. */
function suite(r: Runner): readonly Case[] {
  const common = {
    needs: r.needs ?? [r.program],
    seeds: r.seeds ?? 2,
    ...(r.setup !== undefined && { setup: r.setup }),
    also: ["error", "exit_code", "failed"] as const,
    signs: [r.summary],
  };
  const files = (text: string) => ({ files: { [r.file]: text, ...r.extra } });
  return [
    bad(r.program, "assertion", r.run, TEST, r.fact ?? "@big@", { ...common, ...files(r.failing) }),
    bad(r.program, "throws", r.run, TEST, "@msg@", { ...common, ...files(r.throwing) }),
    ...(r.broken === undefined
      ? []
      : [
          bad(r.program, "broken-file", r.run, TEST, r.brokenFact ?? "@mod@", {
            ...common,
            ...files(r.broken),
            also: ["error", "not_found", "build_failure", "precondition", "exit_code"],
          }),
        ]),
    fine(r.program, "passes", r.run, {
      needs: common.needs,
      ...(r.setup !== undefined && { setup: r.setup }),
      ...files(r.passing),
      seeds: (r.seeds ?? 2) + 1,
    }),
  ];
}

const jsSuite = (head: string, expectation: string, suiteWord = "describe", testWord = "it") => ({
  failing: `${head}${suiteWord}('@stem@', () => {\n  ${testWord}('adds @other@ rows', () => { ${expectation} });\n  ${testWord}('keeps order', () => {});\n});\n`,
  throwing: `${head}${suiteWord}('@stem@', () => {\n  ${testWord}('loads @other@', () => { throw new TypeError('@msg@'); });\n});\n`,
  broken: `${head}const x = require('./@mod@');\n${suiteWord}('@stem@', () => { ${testWord}('a', () => x); });\n`,
  passing: `${head}${suiteWord}('error handling of @stem@', () => {\n  ${testWord}('throws an error when @msg@', () => {});\n  ${testWord}('reports failed uploads', () => { console.error('Error: @msg@'); });\n});\n`,
});
const pytest = {
  failing: "def test_@stem@():\n    total = @big@\n    assert total == 17\n\ndef test_ok():\n    pass\n",
  throwing: "def load():\n    raise ValueError('@msg@')\n\ndef test_load():\n    load()\n",
  broken: "from @mod@ import run\n\ndef test_a():\n    run()\n",
  passing:
    "import pytest\n\ndef test_error():\n    with pytest.raises(ValueError):\n        int('x')\n\n@pytest.mark.xfail\ndef test_known_failure():\n    assert 1 == 2\n\n@pytest.mark.skip(reason='fails on windows')\ndef test_skip():\n    pass\n",
};
const esm = (from: string) => `import { describe, it, expect } from '${from}';\n`;
const vitestBroken = "import { it } from 'vitest';\nimport { run } from './@mod@';\nit('a', () => run());\n";

export const TESTING: Family = {
  name: "testing",
  cases: [
    ...suite({
      program: "vitest",
      run: "vitest run",
      file: "@stem@.test.ts",
      setup: MODULES,
      summary: "failed",
      seeds: 2,
      ...jsSuite(esm("vitest"), "expect(@big@).toBe(17)"),
      broken: vitestBroken,
    }),
    ...suite({
      program: "jest",
      run: "jest",
      file: "@stem@.test.js",
      extra: { "package.json": "{}" },
      summary: "failed",
      ...jsSuite("", "expect(@big@).toBe(17)"),
    }),
    ...suite({
      program: "mocha",
      run: "mocha @stem@.spec.js",
      file: "@stem@.spec.js",
      summary: "failing",
      ...jsSuite("const assert = require('assert');\n", "assert.strictEqual(@big@, 17)"),
    }),
    ...suite({
      program: "jasmine",
      run: "jasmine @stem@.spec.js",
      file: "@stem@.spec.js",
      summary: "failure",
      ...jsSuite("", "expect(@big@).toBe(17)"),
    }),
    ...suite({
      program: "node --test",
      needs: ["node"],
      run: "node --test @stem@.test.js",
      file: "@stem@.test.js",
      summary: "# fail 1",
      ...jsSuite(
        "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\n",
        "assert.strictEqual(@big@, 17)",
      ),
    }),
    ...suite({
      program: "node --test spec",
      needs: ["node"],
      run: "node --test --test-reporter=spec @stem@.test.js",
      file: "@stem@.test.js",
      summary: "fail 1",
      seeds: 1,
      ...jsSuite(
        "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\n",
        "assert.strictEqual(@big@, 17)",
      ),
    }),
    ...suite({
      program: "ava",
      run: "ava",
      file: "@stem@.test.js",
      setup: MODULES,
      extra: { "package.json": '{"type":"module"}' },
      summary: "failed",
      seeds: 1,
      failing: "import test from 'ava';\ntest('adds', (t) => { t.is(@big@, 17); });\n",
      throwing: "import test from 'ava';\ntest('loads', () => { throw new Error('@msg@'); });\n",
      broken: "import test from 'ava';\nimport './@mod@.js';\ntest('a', (t) => t.pass());\n",
      passing:
        "import test from 'ava';\ntest('throws error', (t) => { t.throws(() => { throw new Error('@msg@'); }); });\n",
    }),
    ...suite({
      program: "uvu",
      run: "uvu tests",
      file: "tests/@stem@.js",
      setup: MODULES,
      summary: "FAIL",
      seeds: 1,
      failing:
        "const { test } = require('uvu');\nconst assert = require('uvu/assert');\ntest('adds', () => { assert.is(@big@, 17); });\ntest.run();\n",
      throwing: "const { test } = require('uvu');\ntest('loads', () => { throw new Error('@msg@'); });\ntest.run();\n",
      broken: "require('./@mod@');\n",
      passing: "const { test } = require('uvu');\ntest('reports error', () => {});\ntest.run();\n",
    }),
    ...suite({ program: "pytest", run: "pytest", file: "test_@stem@.py", summary: "failed", ...pytest }),
    ...suite({
      program: "pytest -q",
      needs: ["pytest"],
      run: "pytest -q --tb=short",
      file: "test_@stem@.py",
      summary: "failed",
      seeds: 1,
      ...pytest,
    }),
    ...suite({
      program: "pytest -v",
      needs: ["pytest"],
      run: "python3 -m pytest -v --tb=line",
      file: "tests/test_@stem@.py",
      summary: "failed",
      seeds: 1,
      ...pytest,
    }),
    ...suite({
      program: "go test",
      needs: ["go"],
      run: "go test ./...",
      file: "@stem@_test.go",
      extra: { "go.mod": "module example/@stem@\n\ngo 1.19\n" },
      summary: "FAIL",
      failing:
        'package @stem@\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := @big@; got != 17 {\n\t\tt.Errorf("got %d, want 17", got)\n\t}\n}\n',
      throwing: 'package @stem@\n\nimport "testing"\n\nfunc TestLoad(t *testing.T) {\n\tpanic("@msg@")\n}\n',
      broken: 'package @stem@\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\t@mod@()\n}\n',
      passing: 'package @stem@\n\nimport "testing"\n\nfunc TestErrorPath(t *testing.T) {\n\tt.Log("error: @msg@")\n}\n',
    }),
    ...suite({
      program: "go test -v",
      needs: ["go"],
      run: "go test -v ./...",
      file: "@stem@_test.go",
      extra: { "go.mod": "module example/@stem@\n\ngo 1.19\n" },
      summary: "FAIL",
      seeds: 1,
      failing:
        'package @stem@\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tt.Run("rows", func(t *testing.T) {\n\t\tt.Fatalf("total = %d, want 17", @big@)\n\t})\n}\n\nfunc TestB(t *testing.T) {}\n',
      throwing: 'package @stem@\n\nimport "testing"\n\nfunc TestLoad(t *testing.T) {\n\tt.Fatal("@msg@")\n}\n',
      passing:
        'package @stem@\n\nimport "testing"\n\nfunc TestFailOver(t *testing.T) {\n\tt.Log("failed: 0")\n}\n\nfunc TestSkip(t *testing.T) { t.Skip("error in CI") }\n',
    }),
    ...suite({
      program: "cargo test",
      needs: ["cargo"],
      run: "cargo test --offline",
      file: "src/lib.rs",
      extra: { "Cargo.toml": '[package]\nname = "@stem@"\nversion = "0.1.0"\nedition = "2021"\n' },
      summary: "test result: FAILED",
      seeds: 1,
      failing: "#[test]\nfn totals() {\n    assert_eq!(@big@, 17);\n}\n#[test]\nfn other() {}\n",
      throwing: '#[test]\nfn loads() {\n    panic!("@msg@");\n}\n',
      broken: "#[test]\nfn a() {\n    @mod@::run();\n}\n",
      passing:
        '#[test]\n#[should_panic]\nfn panics_on_error() {\n    panic!("@msg@");\n}\n#[test]\n#[ignore]\nfn failing_upstream() {}\n',
    }),
    ...suite({
      program: "rspec",
      run: "rspec @stem@_spec.rb",
      file: "@stem@_spec.rb",
      summary: "1 failure",
      failing:
        "RSpec.describe '@type@' do\n  it 'adds' do\n    expect(@big@).to eq(17)\n  end\n  it('works') { }\nend\n",
      throwing: "RSpec.describe '@type@' do\n  it 'loads' do\n    raise ArgumentError, '@msg@'\n  end\nend\n",
      broken: "require './@mod@'\nRSpec.describe('x') { it('a') { } }\n",
      passing:
        "RSpec.describe 'errors of @type@' do\n  it('raises an error') { expect { raise '@msg@' }.to raise_error('@msg@') }\n  it 'fails later'\nend\n",
    }),
    ...suite({
      program: "minitest",
      needs: ["ruby"],
      run: "ruby test_@stem@.rb",
      file: "test_@stem@.rb",
      summary: "1 failures",
      failing:
        "require 'minitest/autorun'\nclass Test@type@ < Minitest::Test\n  def test_total\n    assert_equal 17, @big@\n  end\nend\n",
      throwing:
        "require 'minitest/autorun'\nclass Test@type@ < Minitest::Test\n  def test_load\n    raise '@msg@'\n  end\nend\n",
      broken: "require 'minitest/autorun'\nrequire_relative '@mod@'\n",
      passing:
        "require 'minitest/autorun'\nclass Test@type@ < Minitest::Test\n  def test_error\n    assert_raises(RuntimeError) { raise '@msg@' }\n  end\n  def test_skip\n    skip 'fails upstream'\n  end\nend\n",
    }),
    ...suite({
      program: "phpunit",
      run: "phpunit @type@Test.php",
      file: "@type@Test.php",
      summary: "FAILURES",
      failing:
        "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class @type@Test extends TestCase {\n  public function testTotal(): void { $this->assertSame(17, @big@); }\n  public function testOk(): void { $this->assertTrue(true); }\n}\n",
      throwing:
        "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class @type@Test extends TestCase {\n  public function testLoad(): void { throw new RuntimeException('@msg@'); }\n}\n",
      broken:
        "<?php\nrequire '@mod@.php';\nfinal class @type@Test extends PHPUnit\\Framework\\TestCase { public function testA(): void {} }\n",
      passing:
        "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class @type@Test extends TestCase {\n  public function testError(): void { $this->expectException(RuntimeException::class); throw new RuntimeException('@msg@'); }\n}\n",
    }),
    ...suite({
      program: "prove",
      run: "prove t",
      file: "t/@stem@.t",
      summary: "Result: FAIL",
      failing: "use Test::More tests => 2;\nis(@big@, 17, 'total');\nok(1, 'fine');\n",
      throwing: "use Test::More;\nok(1, 'first');\ndie '@msg@';\n",
      broken: "use @mod@;\nuse Test::More tests => 1;\nok(1);\n",
      passing:
        "use Test::More tests => 2;\nok(1, 'error is reported');\nTODO: { local $TODO = '@msg@'; ok(0, 'not yet'); }\n",
    }),
    ...suite({
      program: "perl TAP",
      needs: ["perl"],
      run: "perl t/@stem@.t",
      file: "t/@stem@.t",
      summary: "not ok",
      failing: "use Test::More tests => 2;\nis(@big@, 17, 'total');\nok(1, 'fine');\n",
      throwing: "use Test::More;\nok(1, 'first');\nok(0, '@msg@');\ndone_testing;\n",
      passing:
        "use Test::More tests => 2;\nok(1, 'error: @msg@ is handled');\nSKIP: { skip 'fails on this system', 1; }\n",
    }),
    ...suite({
      program: "bats",
      run: "bats @stem@.bats",
      file: "@stem@.bats",
      summary: "not ok",
      fact: "-eq 17",
      failing: '@test "adds up" {\n  [ @big@ -eq 17 ]\n}\n@test "fine" {\n  true\n}\n',
      throwing: '@test "loads" {\n  echo "@msg@"\n  false\n}\n',
      passing:
        '@test "prints an error" {\n  run cat @missing@\n  [ "$status" -eq 1 ]\n}\n@test "fails gracefully" {\n  skip "@msg@"\n}\n',
    }),
    ...suite({
      program: "bun test",
      needs: ["bun"],
      run: "bun test",
      file: "@stem@.test.ts",
      summary: "1 fail",
      ...jsSuite("import { describe, it, expect } from 'bun:test';\n", "expect(@big@).toBe(17)"),
    }),
    ...suite({
      program: "exunit",
      needs: ["elixir"],
      run: "elixir @stem@_test.exs",
      file: "@stem@_test.exs",
      summary: "1 failure",
      seeds: 1,
      failing:
        'ExUnit.start()\ndefmodule @type@Test do\n  use ExUnit.Case\n  test "adds" do\n    assert @big@ == 17\n  end\nend\n',
      throwing:
        'ExUnit.start()\ndefmodule @type@Test do\n  use ExUnit.Case\n  test "loads" do\n    raise "@msg@"\n  end\nend\n',
      passing:
        'ExUnit.start()\ndefmodule @type@Test do\n  use ExUnit.Case\n  test "raises an error" do\n    assert_raise RuntimeError, fn -> raise "@msg@" end\n  end\nend\n',
    }),
    ...suite({
      program: "junit",
      needs: ["javac", "/usr/share/java/junit4.jar"],
      run: "java -cp .:/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar org.junit.runner.JUnitCore AppTest",
      file: "AppTest.java",
      setup: "javac -cp /usr/share/java/junit4.jar AppTest.java",
      summary: "FAILURES",
      failing:
        "import org.junit.Test;\nimport static org.junit.Assert.*;\npublic class AppTest {\n  @Test public void adds() { assertEquals(17, @big@); }\n  @Test public void fine() {}\n}\n",
      throwing:
        'import org.junit.Test;\npublic class AppTest {\n  @Test public void loads() { throw new IllegalStateException("@msg@"); }\n}\n',
      passing:
        'import org.junit.Test;\npublic class AppTest {\n  @Test(expected = RuntimeException.class) public void error() { throw new RuntimeException("@msg@"); }\n}\n',
    }),
    bad("ctest", "failing", "ctest", TEST, "@stem@", {
      seeds: 1,
      needs: ["ctest", "cmake"],
      files: {
        "CMakeLists.txt":
          "cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\nadd_test(@stem@ false)\nadd_test(fine true)\n",
      },
      setup: "cmake .",
      signs: ["tests failed"],
    }),
    fine("ctest", "passing", "ctest", {
      seeds: 1,
      needs: ["ctest", "cmake"],
      files: {
        "CMakeLists.txt":
          "cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\nadd_test(error_@stem@ true)\n",
      },
      setup: "cmake .",
    }),

    bad("vitest", "no-tests", "vitest run", "not_found", "No test files found", {
      convention: "no-tests-found",
      setup: MODULES,
      also: [TEST, "error"],
      seeds: 1,
    }),
    bad("jest", "no-tests", "jest", "not_found", "No tests found", {
      convention: "no-tests-found",
      files: { "package.json": "{}" },
      also: [TEST, "error"],
      seeds: 1,
    }),
    bad("mocha", "no-tests", "mocha", "not_found", "No test files found", {
      convention: "no-tests-found",
      also: [TEST, "error"],
      seeds: 1,
    }),
    answer("pytest", "no-tests", "pytest", "no-tests-collected", 5),
    answer("pytest", "no-tests-quiet", "pytest -q", "no-tests-collected", 5, { files: { "src/error.py": "x = 1\n" } }),
    bad("pytest", "missing-path", "pytest tests/@missing@.py", "not_found", "@missing@.py", {
      also: [TEST, "error", "invalid_arguments"],
    }),
    bad("pytest", "missing-node", "pytest test_a.py::test_@id@", "not_found", "test_@id@", {
      files: { "test_a.py": "def test_b():\n    pass\n" },
      also: [TEST, "error", "invalid_arguments"],
    }),
    bad("pytest", "bad-option", "pytest --@stem@", "invalid_arguments", "--@stem@", { also: ["error"] }),
    bad("pytest", "fixture-missing", "pytest -q", TEST, "@id@", {
      files: { "test_a.py": "def test_b(@id@):\n    pass\n" },
      also: ["error", "not_found"],
      signs: ["error"],
    }),
    bad("pytest", "parametrized", "pytest -q", TEST, "1 failed", {
      files: {
        "test_a.py": "import pytest\n@pytest.mark.parametrize('n', range(30))\ndef test_n(n):\n    assert n != 1@n@\n",
      },
      also: ["error"],
      signs: ["failed"],
    }),
    bad("phpunit", "missing-file", "phpunit tests/@missing@Test.php", "not_found", "@missing@Test.php", {
      also: [TEST, "error"],
    }),
    bad("rspec", "missing-file", "rspec spec/@missing@_spec.rb", "not_found", "@missing@_spec.rb", {
      also: [TEST, "error"],
    }),
    bad("prove", "missing-file", "prove t/@missing@.t", "not_found", "@missing@.t", { also: [TEST, "error"] }),
    bad("node --test", "missing-file", "node --test test/@missing@.js", "not_found", "@missing@.js", {
      needs: ["node"],
      also: [TEST, "error"],
    }),
    bad("node --test", "timeout", "node --test --test-timeout=300 a.test.js", TEST, "timed out", {
      needs: ["node"],
      seeds: 1,
      files: { "a.test.js": "require('node:test')('slow @stem@', () => new Promise((r) => setTimeout(r, 3000)));\n" },
      also: ["timeout"],
      signs: ["# fail 1"],
    }),
    bad("jest", "timeout", "jest", TEST, "Exceeded timeout", {
      seeds: 1,
      files: { "package.json": "{}", "a.test.js": "test('slow @stem@', () => new Promise(() => {}), 200);\n" },
      also: ["timeout"],
      signs: ["1 failed"],
    }),
    bad("jest", "snapshot", "jest --ci", TEST, "snapshot", {
      seeds: 1,
      files: {
        "package.json": "{}",
        "a.test.js": "test('shot', () => { expect('@stem@').toMatchInlineSnapshot(`\"old\"`); });\n",
      },
      also: ["error"],
      signs: ["1 failed"],
    }),
    bad("jest", "many", "jest", TEST, "@msg@", {
      seeds: 1,
      files: {
        "package.json": "{}",
        "a.test.js":
          "for (let i = 0; i < 12; i++) test('case ' + i, () => { if (i === 5) throw new Error('@msg@'); });\n",
        "b.test.js": "test('b', () => { console.error('expected error output'); });\n",
      },
      also: ["error"],
      signs: ["1 failed"],
    }),
    bad("mocha", "hook", "mocha a.js", TEST, "@msg@", {
      files: {
        "a.js": "describe('@stem@', () => { before(() => { throw new Error('@msg@'); }); it('x', () => {}); });\n",
      },
      also: ["error"],
      signs: ["failing"],
    }),
    bad("mocha", "timeout", "mocha -t 100 a.js", TEST, "Timeout of 100ms exceeded", {
      files: { "a.js": "it('slow', (done) => { setTimeout(done, 2000); });\n" },
      also: ["timeout"],
      signs: ["failing"],
    }),
    bad("vitest", "snapshot", "vitest run", TEST, "Snapshot", {
      seeds: 1,
      setup: MODULES,
      files: {
        "a.test.ts":
          "import { expect, it } from 'vitest';\nit('shot', () => { expect('@stem@').toMatchInlineSnapshot('\"old\"'); });\n",
      },
      signs: ["failed"],
    }),
    bad("npm test", "fails", "npm test", TEST, "@msg@", {
      needs: ["npm", "node"],
      files: {
        "package.json": '{"scripts":{"test":"node --test"}}',
        "a.test.js": "require('node:test')('@stem@', () => { throw new Error('@msg@'); });\n",
      },
      also: ["error"],
      signs: ["# fail 1"],
    }),
    bad("npm test", "mocha", "npm test", TEST, "@msg@", {
      needs: ["npm", "mocha"],
      files: {
        "package.json": '{"name":"@stem@","version":"1.0.0","scripts":{"test":"mocha a.js"}}',
        "a.js": "it('x', () => { throw new Error('@msg@'); });\n",
      },
      also: ["error"],
      signs: ["failing"],
    }),
    fine("npm test", "passes", "npm test", {
      needs: ["npm", "mocha"],
      files: {
        "package.json": '{"name":"@stem@","version":"1.0.0","scripts":{"test":"mocha a.js"}}',
        "a.js": "it('reports an error when @msg@', () => {});\n",
      },
    }),
    fine("pytest", "warnings", "pytest", {
      files: { "test_a.py": "import warnings\ndef test_a():\n    warnings.warn('@msg@ error')\n" },
    }),
    fine("pytest", "captured-logs", "pytest -rA", {
      files: {
        "test_a.py":
          "import logging\ndef test_error_is_logged():\n    logging.error('failed: @msg@')\n    print('Traceback (most recent call last)')\n",
      },
    }),
    fine("pytest", "collect-only", "pytest --collect-only -q", {
      files: { "test_errors.py": "def test_error():\n    pass\ndef test_failure():\n    pass\n" },
    }),
    fine("go test", "no-test-files", "go test ./...", {
      needs: ["go"],
      files: { "go.mod": "module example/@stem@\n\ngo 1.19\n", "a.go": "package @stem@\n" },
    }),
    fine("jest", "pass-with-no-tests", "jest --passWithNoTests", { files: { "package.json": "{}" }, seeds: 1 }),
    fine("vitest", "todo-and-skip", "vitest run", {
      setup: MODULES,
      seeds: 1,
      files: {
        "error.test.ts":
          "import { it } from 'vitest';\nit.skip('fails', () => {});\nit.todo('error path');\nit('ok', () => {});\nit.fails('known failure', () => { throw new Error('@msg@'); });\n",
      },
    }),
    fine("jest", "console-noise", "jest", {
      seeds: 1,
      files: {
        "package.json": "{}",
        "a.test.js": "test('logs', () => { console.error(new Error('@msg@')); console.warn('failed softly'); });\n",
      },
    }),
    answer("pytest", "deselected", "pytest -k @stem@x -q", "no-tests-collected", 5, {
      files: { "test_a.py": "def test_b():\n    pass\n" },
    }),
  ],
};
