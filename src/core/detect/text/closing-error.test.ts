import { describe, expect, test } from "vitest";
import { shell } from "../../../../test/support/classify.ts";
import { findClosingError } from "./closing-error.ts";
import { textWindow } from "./text-window.ts";

describe("an error at the end of an output", () => {
  test("a closing error is a failure, whatever the program did before", () => {
    const text =
      'configmap/queue unchanged\nstatefulset.apps/queue configured\nerror: unable to recognize "jobs.yml": no kind "CronTask" is registered\nregister the definition first\n';
    expect(shell("kubectl apply -f deploy/", text)).toMatchObject({
      status: "failed",
      message: expect.stringContaining("unable to recognize"),
    });
  });

  test("a closing error may be an exception behind a banner", () => {
    const text =
      "Session log:\t77ab12\nConnected to:\tdb://127.0.0.1:9000/shop\nServer:\t4.2.1\n\nShopServerError: Index build stopped: orders.number :: caused by :: two documents share { number: 7 }\n";
    expect(shell("shopsh db://127.0.0.1:9000/shop --eval 'index()'", text).status).toBe("failed");
  });

  test("a closing error may have a code, indented lines and hints below it", () => {
    const text =
      "[1] Compiling 4 files\n[2] Compiler 0.9 finished in 12 ms\nError (2271): Operator + not defined here.\n  --> src/Bank.sol:9:3:\n   |\n 9 |   a + b;\nhint: cast one side first";
    expect(shell("solkit build", text).status).toBe("failed");
  });

  test("a closing error may be followed by sentences in another language", () => {
    const text =
      "Atualizando 77aa01c..9be2d10\nerror: As suas alterações locais em\n\tsrc/conta.py\nseriam sobrescritas.\nGrave-as antes de continuar.\nAbortando";
    expect(shell("git pull", text).status).toBe("failed");
  });

  test("a closing error may start with a mark and a label in brackets", () => {
    const text =
      "edge-cli 3.1\n-----\n\n✘ [ERROR] The upload to the edge (/zones/7) was not accepted.\n\n  Ask an owner.";
    expect(shell("edge-cli publish", text).status).toBe("failed");
  });

  test("a closing exception that mentions a build is the message, and a closing error in a source is a failed build", () => {
    const exception = "Server: 4.2\n\nIndexServerError: Index build failed: two documents share the number 7";
    expect(shell("shopsh --eval 'index()'", exception).message).toBe(
      "IndexServerError: Index build failed: two documents share the number 7",
    );
    const source =
      "[1 of 2] Compiling Main\nsrc/Main.hs:8:3: error: Couldn't match type 'Int' with 'Text'\n  |\n8 |  x";
    expect(shell("hpack-make all", source)).toMatchObject({ status: "failed", category: "build_failure" });
  });

  test.each([
    ["tries again", "error: the queue is full, retrying\nerror: the queue is full, retrying\nsent 3 jobs"],
    ["is done before", "Successfully installed q-2\nERROR: other packages are now too old for q 2"],
    ["is done after", "error: row 7 has no date\nrow 8 loaded\nload finished"],
    ["goes on", "loading\nerror: row 7 has no date\nrow 8\nrow 9\nrow 10\nrow 11"],
    ["prints one line", "error: row 7 has no date"],
    ["warns at last", "loaded\nUserWarning: no GPU was found, the CPU is used"],
    ["goes on as before", "applying 1\napplying 2\nERROR:  the table is there already\napplying 3\nall are applied"],
    ["lists counts by level", "Messages by count\nError: disk full, 12 times\nWarning: slow disk, 3 times"],
    ["prints a measure", "epoch 2 loss 0.5\nerror: 0.031 on the test set"],
    ["lists exceptions", "SizeError: raised when a size is wrong\nTypeError: raised when a type is wrong"],
    ["names what it lacks", "12 files read\nErrors: none in this run"],
  ])("no closing error is found if the program %s", (_, text) => {
    expect(findClosingError(textWindow(text), [])).toBeUndefined();
  });
});
