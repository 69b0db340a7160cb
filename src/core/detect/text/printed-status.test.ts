import { describe, expect, test } from "vitest";
import { shell } from "../../../../test/support/classify.ts";

describe("the exit status that a command prints itself", () => {
  test("a printed status other than 0 reveals a failure that the status of the call hides", () => {
    expect(shell('psql -c "select 1/0"; echo "exit: $?"', "ERROR:  division by zero\nexit: 1")).toMatchObject({
      status: "ok",
      soft: true,
      message: "ERROR: division by zero",
    });
    expect(shell("./sync; echo exit=$?", "exit=3\nsync: nothing to read from")).toMatchObject({ soft: true });
  });

  test("a printed status of 0 means success, whatever is printed above it", () => {
    expect(shell("./sync; echo exit=$?", "error: file 3 is locked, using its copy\nexit=0")).toMatchObject({
      status: "ok",
      soft: false,
    });
  });

  test("a printed status is a regular result of some programs, and belongs to another call if nothing else ran", () => {
    expect(shell("grep -q a b.txt; echo $?", "1")).toMatchObject({ soft: false });
    expect(shell("echo $?", "1")).toMatchObject({ status: "ok", soft: false });
  });
});
