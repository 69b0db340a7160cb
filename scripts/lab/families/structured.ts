// JSON, YAML and XML tools, and databases.
import { answer, bad, fine } from "../builders.ts";
import type { Family } from "../types.ts";

const J = {
  files: {
    "data.json": '{"items": [{"id": 1, "error": null}, {"id": 2, "error": "@msg@"}], "failed": 0, "name": "@stem@"}\n',
  },
};
const B = { files: { "bad.json": '{"a": 1,\n "b": [1, 2\n}\n' } };
const DB =
  "sqlite3 app.db \"create table @stem@(id integer primary key, note text not null); insert into @stem@ values (1, 'error: @msg@'), (2, 'fine');\"";
const S = { needs: ["sqlite3"], setup: DB } as const;

export const STRUCTURED: Family = {
  name: "structured",
  cases: [
    bad("jq", "missing-file", "jq . @missing@", "not_found", "@missing@"),
    bad("jq", "invalid-json", "jq . bad.json", "error", "parse error", { ...B, also: ["invalid_arguments"] }),
    bad("jq", "invalid-stdin", "echo '@msg@' | jq .", "error", "parse error", {
      also: ["invalid_arguments"],
      maskable: false,
    }),
    bad("jq", "syntax", "jq '.items[' data.json", "invalid_arguments", "syntax error", { ...J, also: ["error"] }),
    bad("jq", "undefined-function", "jq '@stem@(1)' data.json", "invalid_arguments", "@stem@", {
      ...J,
      also: ["error", "not_found"],
    }),
    bad("jq", "cannot-iterate", "jq '.name[]' data.json", "error", "Cannot iterate over string", J),
    bad("jq", "cannot-index", "jq '.items.@id@' data.json", "error", "Cannot index array", J),
    bad("jq", "own-error", "jq 'error(\"@msg@\")' data.json", "error", "@msg@", J),
    bad("jq", "bad-option", "jq --@stem@ . data.json", "invalid_arguments", "--@stem@", J),
    bad(
      "jq",
      "partial-output",
      "jq '.items[] | .id, (.error | length), (.id | keys)' data.json",
      "error",
      "has no keys",
      J,
    ),
    answer("jq", "exit-null", "jq -e .@id@ data.json", "jq-e", 1, J),
    answer("jq", "exit-false", "jq -e '.failed > 0' data.json", "jq-e", 1, J),
    answer("jq", "exit-none", "jq -e '.items[] | select(.id == 9)' data.json", "jq-e", 4, J),
    fine("jq", "errors-listed", "jq '.items' data.json", J),
    fine("jq", "error-field", "jq -r '.items[].error' data.json", J),
    fine("jq", "null", "jq .@id@ data.json", J),
    fine("jq", "select-errors", "jq -c '.items[] | select(.error != null)' data.json", J),
    fine("jq", "filter-log", "jq -r 'select(.level==\"error\") | .msg' log.jsonl", {
      files: {
        "log.jsonl":
          '{"level":"error","msg":"@msg@"}\n{"level":"info","msg":"ok"}\n{"level":"error","msg":"failed to bind"}\n',
      },
    }),
    bad("yq", "missing-file", "yq . @missing@", "not_found", "@missing@"),
    bad("yq", "invalid-yaml", "yq . bad.yaml", "error", "yq", {
      files: { "bad.yaml": "a: [1, 2\nb: : 3\n" },
      also: ["invalid_arguments"],
    }),
    fine("yq", "plain", "yq . a.yaml", { files: { "a.yaml": "on_error: retry\nfailures: 0\nname: @stem@\n" } }),
    bad("xmllint", "malformed", "xmllint --noout @stem@.xml", "error", "@stem@.xml", {
      files: { "@stem@.xml": "<a><b></a>\n" },
      also: ["invalid_arguments"],
    }),
    bad("xmllint", "missing", "xmllint --noout @missing@.xml", "not_found", "@missing@.xml", { also: ["error"] }),
    bad("xmllint", "xpath-empty", "xmllint --xpath '//@stem@' a.xml", "not_found", "XPath set is empty", {
      files: { "a.xml": "<a><error>none</error></a>\n" },
      also: ["error"],
    }),
    fine("xmllint", "valid", "xmllint --format a.xml", {
      files: { "a.xml": "<a><error code='0'>@msg@</error></a>\n" },
    }),
    bad("tidy", "errors", "tidy -e -q a.html", "error", "@stem@tag", {
      files: { "a.html": "<!DOCTYPE html><title>x</title><@stem@tag>x</@stem@tag>\n" },
      exit: 2,
      also: ["build_failure"],
    }),
    bad("ajv", "invalid", "ajv validate -s schema.json -d data.json", "error", "@id@", {
      needs: ["ajv"],
      files: { "schema.json": '{"type":"object","required":["@id@"]}', "data.json": "{}" },
      also: ["invalid_arguments", "test_failure"],
    }),
    fine("ajv", "valid", "ajv validate -s schema.json -d data.json", {
      needs: ["ajv"],
      files: { "schema.json": '{"type":"object"}', "data.json": '{"error":1}' },
    }),
    bad("python3", "toml", "python3 -c \"import tomllib; tomllib.load(open('x.toml','rb'))\"", "error", "Invalid", {
      files: { "x.toml": "a = = 1\n" },
      seeds: 1,
      also: ["invalid_arguments"],
    }),

    bad("sqlite3", "no-table", "sqlite3 app.db 'select * from @mod@'", "not_found", "@mod@", { ...S, also: ["error"] }),
    bad("sqlite3", "no-column", "sqlite3 app.db 'select @id@ from @stem@'", "not_found", "@id@", {
      ...S,
      also: ["error"],
    }),
    bad("sqlite3", "syntax", "sqlite3 app.db 'selct * from @stem@'", "error", "syntax error", {
      ...S,
      also: ["invalid_arguments"],
    }),
    bad(
      "sqlite3",
      "unique",
      "sqlite3 app.db \"insert into @stem@ values (1, 'x')\"",
      "error",
      "UNIQUE constraint failed",
      { ...S, also: ["precondition", "failed"] },
    ),
    bad(
      "sqlite3",
      "not-null",
      "sqlite3 app.db 'insert into @stem@ values (5, null)'",
      "error",
      "NOT NULL constraint failed",
      { ...S, also: ["precondition", "invalid_arguments", "failed"] },
    ),
    bad("sqlite3", "table-exists", "sqlite3 app.db 'create table @stem@(x)'", "precondition", "already exists", {
      ...S,
      also: ["error"],
    }),
    bad("sqlite3", "not-a-database", "sqlite3 @file@ .tables", "error", "not a database", {
      needs: ["sqlite3"],
      files: {
        "@file@":
          "just text, no pages at all, but longer than the header of one hundred bytes, so that it is read as such.\n",
      },
    }),
    bad(
      "sqlite3",
      "readonly",
      "sqlite3 app.db \"insert into @stem@ values (7, 'x')\"",
      "permission_denied",
      "readonly database",
      { ...S, setup: `${DB}; chmod 444 app.db; chmod 555 .`, also: ["error"] },
    ),
    bad("sqlite3", "cannot-open", "sqlite3 @dir@/@stem@.db .tables", "not_found", "unable to open database", {
      needs: ["sqlite3"],
      also: ["error"],
    }),
    bad("sqlite3", "locked", "sqlite3 app.db \"insert into @stem@ values (8, 'x')\"", "error", "locked", {
      ...S,
      setup: `${DB}; (sqlite3 app.db 'begin exclusive' '.shell sleep 3') >/dev/null 2>&1 & sleep 0.4`,
      also: ["precondition"],
      maskable: false,
      exit: 5,
    }),
    bad("sqlite3", "script-stops", "sqlite3 -bail app.db < run.sql", "not_found", "@mod@", {
      ...S,
      files: { "run.sql": "select count(*) from @stem@;\nselect * from @mod@;\nselect 1;\n" },
      also: ["error"],
    }),
    bad("sqlite3", "dot-command", "sqlite3 app.db '.@mod@'", "invalid_arguments", "@mod@", {
      ...S,
      also: ["error", "not_found"],
      exit: "any",
    }),
    fine("sqlite3", "rows-with-errors", "sqlite3 -header app.db 'select * from @stem@'", S),
    fine("sqlite3", "no-rows", "sqlite3 app.db 'select * from @stem@ where id = 99'", S),
    fine("sqlite3", "count", "sqlite3 app.db \"select count(*) as errors from @stem@ where note like 'error%'\"", S),
    fine("sqlite3", "integrity", "sqlite3 app.db 'pragma integrity_check'", S),
    fine("sqlite3", "schema", "sqlite3 app.db 'create table errors(id, failed)' .schema", S),

    bad("psql", "refused", "psql -h 127.0.0.1 -p @closed@ -U app -c 'select 1'", "network", "@closed@", {
      localized: true,
    }),
    bad("psql", "dns", "psql -h @host@ -U app -c 'select 1'", "network", "@host@", {
      localized: true,
      also: ["not_found"],
    }),
    bad("psql", "no-socket", "psql -h @cache@/none -U app", "network", "socket", { also: ["not_found"] }),
    bad("psql", "bad-option", "psql --@stem@", "invalid_arguments", "--@stem@", { localized: true }),
    bad("psql", "no-database", "psql @pg@ -d @stem@ -c 'select 1'", "not_found", "@stem@", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      localized: true,
      also: ["error"],
    }),
    bad("psql", "no-role", "psql @pg@ -U @user@ -d postgres -c 'select 1'", "auth", "@user@", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      localized: true,
      also: ["not_found", "error"],
    }),
    bad("psql", "no-table", "psql @pg@ -d postgres -c 'select * from @mod@'", "not_found", "@mod@", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      also: ["error"],
    }),
    bad("psql", "syntax", "psql @pg@ -d postgres -c 'selec 1'", "error", "syntax error", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      also: ["invalid_arguments"],
    }),
    bad("psql", "division", "psql @pg@ -d postgres -c 'select 1/0'", "error", "division by zero", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
    }),
    bad(
      "psql",
      "unique",
      "psql @pg@ -d postgres -c 'create temp table t(a int primary key)' -c 'insert into t values (1)' -c 'insert into t values (1)'",
      "error",
      "duplicate key value",
      { needs: ["psql", "@cache@/pg/PG_VERSION"], also: ["precondition"] },
    ),
    bad("psql", "type", "psql @pg@ -d postgres -c \"select '@stem@'::int\"", "error", "invalid input syntax", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      also: ["invalid_arguments"],
    }),
    bad(
      "psql",
      "timeout",
      "psql @pg@ -d postgres -c \"set statement_timeout = 100\" -c 'select pg_sleep(5)'",
      "timeout",
      "statement timeout",
      { needs: ["psql", "@cache@/pg/PG_VERSION"], also: ["cancelled"] },
    ),
    bad(
      "psql",
      "raise",
      "psql @pg@ -d postgres -c \"do \\$\\$ begin raise exception '@msg@'; end \\$\\$\"",
      "error",
      "@msg@",
      { needs: ["psql", "@cache@/pg/PG_VERSION"] },
    ),
    bad("psql", "script-goes-on", "psql @pg@ -d postgres -v ON_ERROR_STOP=1 -f run.sql", "not_found", "@mod@", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      files: { "run.sql": "select 1 as a;\nselect * from @mod@;\nselect 2;\n" },
      also: ["error"],
    }),
    bad("psql", "missing-script", "psql @pg@ -d postgres -f @missing@.sql", "not_found", "@missing@.sql", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      localized: true,
    }),
    fine("psql", "rows", "psql @pg@ -d postgres -c \"select 'error: @msg@' as note, 0 as failed\"", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      localized: true,
    }),
    fine("psql", "no-rows", "psql @pg@ -d postgres -c 'select 1 as error where false'", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
      localized: true,
    }),
    fine("psql", "notice", "psql @pg@ -d postgres -c 'drop table if exists @mod@'", {
      needs: ["psql", "@cache@/pg/PG_VERSION"],
    }),
    bad("redis-cli", "refused", "redis-cli -p @closed@ ping", "network", "@closed@"),
    bad("mysql", "refused", "mysql -h 127.0.0.1 -P @closed@ -e 'select 1'", "network", "127.0.0.1", {}),
    bad("createdb", "refused", "createdb -h 127.0.0.1 -p @closed@ @stem@", "network", "@closed@", { localized: true }),
  ],
};
