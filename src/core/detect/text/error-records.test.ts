import { describe, expect, test } from "vitest";
import { shell } from "../../../../test/support/classify.ts";
import { classifyToolResult } from "../index.ts";

describe("records that programs print of their own errors", () => {
  test("PowerShell's fields decide in any language, with their category", () => {
    const record = (category: string) =>
      `Remove-Item : Das Element "D:\\alt" ist gesperrt.\nIn Zeile:1 Zeichen:1\n+ Remove-Item D:\\alt\n    + CategoryInfo          : ${category}: (D:\\alt:String) [Remove-Item], IOException\n    + FullyQualifiedErrorId : RemoveItem,Microsoft.PowerShell.Commands.RemoveItemCommand`;
    expect(shell("Remove-Item D:\\alt", record("ResourceBusy"))).toMatchObject({
      status: "failed",
      category: "precondition",
    });
    expect(shell("Remove-Item D:\\alt", record("SecurityError"))).toMatchObject({ category: "permission_denied" });
  });

  test("a fatal error of git counts above its advice, in any language", () => {
    const text =
      "正克隆到 'lager'...\n致命错误：仓库 'https://code.example/lager.git/' 未找到\n\n请检查地址，\n然后再试一次。";
    expect(shell("git clone https://code.example/lager.git", text).status).toBe("failed");
  });

  test("an error that is drawn with its cause is a failure", () => {
    const text =
      "Resolving dependencies\n  × The lock file cannot be used with this project:\n  ╰─▶ It was written for another version\n  help: Write it again.";
    expect(shell("uv sync", text)).toMatchObject({
      status: "failed",
      message: expect.stringContaining("The lock file cannot be used"),
    });
  });

  test("a rejected hunk is a failure of patch", () => {
    expect(
      shell(
        "patch -p1 < a.diff",
        "patching file b.c\nHunk #3 FAILED at 12.\n1 out of 3 hunks FAILED -- saving rejects",
      ),
    ).toMatchObject({ status: "failed", category: "precondition" });
  });

  test("an error of a compiler is a failure wherever it is in the output", () => {
    const text = `Restoring packages...\nsrc/Cart.cs(14,26): error CS0246: The type 'Q' could not be found [Cart.csproj]\n\n${"News: version 9 is out. See the page of the tool.\n".repeat(14)}`;
    expect(shell("dotnet build Cart.sln", text)).toMatchObject({ status: "failed", category: "build_failure" });
  });

  test.each([
    [
      "select 1 frm dual",
      "select 1 frm dual\n         *\nERROR at line 1:\nORA-00942: table or view does not exist\n\nDisconnected",
    ],
    [
      "select * from a.b",
      "Changed database context to 'x'.\nMsg 4060, Level 14, State 1, Server Q1, Line 1\nDatenbank 'x' ist unbekannt.",
    ],
  ])("a database error with a number is a failure, from a tool and from a shell: %s", (sql, text) => {
    const args = { sql };
    expect(classifyToolResult({ content: text }, { name: "run_sql", arguments: args }).status).toBe("failed");
    expect(shell(`sqltool -q '${sql}'`, text).status).toBe("failed");
  });

  test("a notice of a database is no failure", () => {
    const text = "Msg 5701, Level 10, State 2, Server Q1, Line 1\nChanged database context to 'x'.\n7";
    expect(classifyToolResult({ content: text }, { name: "run_sql", arguments: { sql: "select 7" } }).status).toBe(
      "ok",
    );
  });
});
