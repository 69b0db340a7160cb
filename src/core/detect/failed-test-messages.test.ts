import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../test/support/classify.ts";

describe("the message of a failed test", () => {
  test("the message names the test above pytest's assertion", () => {
    const text =
      "F\n=== FAILURES ===\n_________ test_rounding _________\n\n    def test_rounding():\n>       assert price(2) == 5\nE       assert 4 == 5\n\ntests/test_price.py:3: AssertionError\n=== 1 failed in 0.02s ===";
    expect(shell("pytest", text).message).toBe("test_rounding: assert price(2) == 5 assert 4 == 5");
  });

  test("the message names the test above jest's expectation, without jest's comment", () => {
    const text =
      "FAIL ./price.test.js\n  \u25cf price \u203a rounds up\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 5\n    Received: 4\n\nTests:       1 failed, 1 total";
    expect(shell("npx jest", text).message).toBe(
      "price \u203a rounds up: expect(received).toBe(expected) Expected: 5 Received: 4",
    );
  });

  test("the message contains apostrophes and brackets of the test's name", () => {
    const text =
      "FAIL ./a.test.js\n  \u25cf doesn't lose items [cart]\n\n    expect(received).toBe(expected)\n\n    Expected: 5\n    Received: 4\n\nTests:       1 failed, 1 total";
    expect(shell("npx jest", text).message).toBe("doesn't lose items [cart]: Expected: 5 Received: 4");
  });

  test("the message contains the first change of jest's diff below the assertion", () => {
    const text =
      "FAIL ./a.test.js\n  \u25cf reads the user\n\n    expect(received).toEqual(expected) // deep equality\n\n    - Expected  - 1\n    + Received  + 1\n\n      Object {\n    -   age: 7,\n    +   age: 8,\n      }\n\nTests: 1 failed, 1 total";
    expect(shell("npx jest", text).message).toBe(
      "reads the user: expect(received).toEqual(expected) - age: 7, + age: 8,",
    );
  });

  test("the message contains what a test of Playwright expected and received, below other lines", () => {
    const text =
      '  1) [chromium] a.spec.ts:3:1 shows the name\n\n    Error: expect(locator).toHaveText(expected) failed\n\n    Locator: heading\n    Expected string: "Ada"\n    Received string: "Bob"\n\n  1 failed';
    expect(shell("npx playwright test", text).message).toContain('Expected string: "Ada" Received string: "Bob"');
  });

  test("the message names the test of mocha with the suites around it", () => {
    const text =
      "  Basket\n    when empty\n      1) has no total\n\n  0 passing (2ms)\n  1 failing\n\n  1) Basket\n       when empty\n         has no total:\n     AssertionError: expected 7 to equal 0\n      at Context.<anonymous> (basket.spec.js:4:9)\n";
    expect(shell("npx mocha", text).message).toContain("Basket when empty has no total: AssertionError: expected 7");
  });

  test("the message names the test of RSpec without the code and the exception below it", () => {
    const text =
      "F\n\nFailures:\n\n  1) Basket adds tax\n     Failure/Error: raise Gone\n\n     RuntimeError:\n       basket is gone\n     # ./basket_spec.rb:4\n\n1 example, 1 failure\n";
    expect(shell("rspec", text).message).toBe("Basket adds tax: RuntimeError: basket is gone");
  });

  test("the message names the test below minitest's kind of failure", () => {
    const text =
      "# Running:\n\nF\n\n  1) Failure:\nBasketTest#test_total [basket_test.rb:9]:\nExpected: 7\n  Actual: 6\n\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n";
    expect(shell("ruby basket_test.rb", text).message).toBe("BasketTest#test_total: Expected: 7 Actual: 6");
  });

  test("the message names the test that cargo lists below a backtrace", () => {
    const text =
      "   4: core::panicking::assert_failed::<u8, u8>\n             at ./src/lib.rs:7:9\n\n\nfailures:\n    basket::tests::total\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`\n";
    expect(shell("cargo test 2>&1 | tail -9", text).message).toContain("basket::tests::total");
  });

  test("the message names Maven's failed test, not only the failed build", () => {
    const text =
      "[ERROR] Tests run: 6, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! -- in a.CartTest\n[ERROR] a.CartTest.addsTax -- Time elapsed: 0.01 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <5> but was: <4>\n[INFO] BUILD FAILURE";
    expect(shell("mvn test", text)).toMatchObject({
      category: "test_failure",
      message: "addsTax: org.opentest4j.AssertionFailedError: expected: <5> but was: <4>",
    });
  });

  test("the message names the test in a comment of prove", () => {
    const text =
      "\n#   Failed test 'total of two'\n#   at basket.t line 7.\n#          got: '6'\n#     expected: '7'\nbasket.t ..\nFailed 1/2 subtests\nResult: FAIL\n";
    expect(shell("prove basket.t", text).message).toContain("total of two: got: '6' expected: '7'");
  });

  test("the message contains what prove compared, not the rule below its summary", () => {
    const text =
      "#   Failed test 'sum'\n#   at t/a.t line 2.\n#          got: '7'\n#     expected: '9'\n\nTest Summary Report\n-------------------\nt/a.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)\nResult: FAIL";
    expect(shell("prove t", text).message).toBe("sum: got: '7' expected: '9'");
  });

  test("the message contains the error of a failed TAP test, with both values", () => {
    const text =
      "TAP version 13\nnot ok 1 - rounds up\n  ---\n  duration_ms: 1.2\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n    \n    4 !== 5\n    \n  ...\n1..1\n# fail 1";
    expect(shell("node --test", text).message).toContain("rounds up: Expected values to be strictly equal: 4 !== 5");
  });

  test("the message contains what Node's test compared, once", () => {
    const text =
      "\u2716 failing tests:\n\n\u2716 sorts (1.4ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  + actual - expected\n  \n  + 'b'\n  - 'a'\n  \n      at TestContext.<anonymous> (/w/a.test.js:3:10)\n\u2139 fail 1";
    expect(shell("node --test", text).message).toContain("strictly equal: + 'b' - 'a'");
  });

  test("the message names the test of jest, not what another one printed or a file that passed", () => {
    const text =
      " PASS  src/ErrorBox.test.tsx\n FAIL  src/form.test.tsx\n  \u25cf Console\n\n    console.error\n      Warning: not wrapped in act\n\n  \u25cf form \u203a saves the zone\n\n    expect(jest.fn()).toHaveBeenCalledWith(...expected)\n\n    Number of calls: 0\n\nTests: 1 failed, 4 passed, 5 total";
    expect(shell("npx jest", text).message).toBe("form \u203a saves the zone");
  });

  test("the message names the test of vitest without its file", () => {
    const text =
      " FAIL  src/queue.test.ts > queue > keeps the newest\nAssertionError: expected 'm-1' to be 'm-2' // Object.is equality\n\n Test Files  1 failed (1)";
    expect(shell("npx vitest run", text).message).toContain("queue > keeps the newest: AssertionError: expected 'm-1'");
  });

  test("the message names the test of Gradle and of .NET", () => {
    const gradle =
      "PurseTest > refusesDebt() FAILED\n    org.opentest4j.AssertionFailedError at PurseTest.java:12\n\n3 tests completed, 1 failed";
    expect(shell("./gradlew test", gradle).message).toContain("PurseTest > refusesDebt(): ");
    const dotnet =
      "  Failed Shop.Tests.PurseTests.RefusesDebt [5 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 2\nActual:   3\n\nFailed!  - Failed: 1, Passed: 3";
    expect(shell("dotnet test", dotnet).message).toContain("PurseTests.RefusesDebt: Assert.Equal() Failure");
  });

  test("the message is the result of the failed test of CTest, not the start of another one", () => {
    const text =
      "    Start 1: errors\n1/2 Test #1: errors .......   Passed    0.01 sec\n    Start 2: vm\n2/2 Test #2: vm ...........***Exception: SegFault  0.11 sec\n\n50% tests passed, 1 tests failed out of 2";
    expect(shell("ctest", text).message).toContain("***Exception: SegFault");
  });

  test("the message names the test that Visual Studio Code lists, and counts of 0 are no failure", () => {
    const test =
      '<testFailure name="rejects a comma" path="/p/a.ts">\n<message>\nexpected 3 to equal 4\n</message>\n</testFailure>';
    expect(answer("runTests", `<summary passed=9 failed=1 />\n${test}`)).toMatchObject({
      status: "failed",
      category: "test_failure",
      message: "rejects a comma: expected 3 to equal 4",
    });
    expect(answer("runTests", "<summary passed=9 failed=0 />").status).toBe("ok");
  });
});
