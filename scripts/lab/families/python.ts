// Python: exceptions of a script, wrong imports, command line errors, tests and checkers of Python code.
import { bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

const P = { needs: ["python3"] } as const;

/** A script that raises; the traceback ends with the message. */
function raises(
  name: string,
  code: string,
  category: Category,
  fact: string,
  rest: Partial<Case> = {},
): readonly Case[] {
  return [
    bad("python3", name, "python3 @stem@.py", category, fact, { ...P, files: { "@stem@.py": code }, ...rest }),
    bad("python3", `${name}-tool`, 'python3 -c "$(cat main.py)"', category, fact, {
      ...P,
      files: { "main.py": code },
      tool: "python",
      seeds: 1,
      maskable: false,
      ...rest,
    }),
  ];
}

const passing =
  "import unittest\nclass T(unittest.TestCase):\n    def test_error_path(self):\n        with self.assertRaises(ValueError):\n            int('x')\n    def test_two(self):\n        self.assertEqual(1, 1)\n";
const failing =
  "import unittest\nclass T@type@(unittest.TestCase):\n    def test_@id@(self):\n        self.assertEqual(@big@, 17, '@msg@')\n    def test_ok(self):\n        pass\n";

export const PYTHON: Family = {
  name: "python",
  cases: [
    ...raises("value-error", "def run():\n    raise ValueError('@msg@')\nprint('start')\nrun()\n", "error", "@msg@"),
    ...raises("key-error", "rows = {'a': 1}\nprint(rows['@id@'])\n", "error", "@id@", { also: ["not_found"] }),
    ...raises("index-error", "items = [1, 2]\nprint(items[@big@])\n", "error", "list index out of range"),
    ...raises("type-error", "print('total: ' + @n@)\n", "error", "can only concatenate str", {
      also: ["invalid_arguments"],
    }),
    ...raises("call-arguments", "def load(path, *, mode):\n    return path\nload('@file@')\n", "error", "mode", {
      also: ["invalid_arguments"],
    }),
    ...raises("attribute-error", "class @type@: pass\n@type@().@id@()\n", "error", "@id@", { also: ["not_found"] }),
    ...raises("name-error", "print(@id@)\n", "error", "@id@", { also: ["not_found"] }),
    ...raises("zero-division", "def rate(a, b):\n    return a / b\nprint(rate(@n@, 0))\n", "error", "division by zero"),
    ...raises("import-missing", "import @mod@\n", "not_found", "@mod@", { also: ["precondition", "error"] }),
    ...raises("import-name", "from os import @id@\n", "not_found", "@id@", { also: ["error"] }),
    ...raises("file-missing", "with open('@dir@/@missing@') as f:\n    print(f.read())\n", "not_found", "@missing@"),
    ...raises("permission", "open('/etc/@file@', 'w').write('x')\n", "permission_denied", "/etc/@file@"),
    ...raises("is-a-folder", "open('/usr').read()\n", "error", "/usr", { also: ["precondition", "invalid_arguments"] }),
    ...raises("syntax", "def run(:\n    pass\n", "error", "invalid syntax", {
      also: ["build_failure"],
      signs: ["SyntaxError"],
    }),
    ...raises("indentation", "def run():\nprint(1)\n", "error", "expected an indented block", {
      also: ["build_failure"],
    }),
    ...raises("unclosed", "values = [1, 2\nprint(values)\n", "error", "was never closed", { also: ["build_failure"] }),
    ...raises("json", "import json\njson.loads('{\"@id@\": }')\n", "error", "Expecting value"),
    ...raises("unicode", "b'\\xff\\xfe@stem@'.decode('utf-8')\n", "error", "can't decode byte"),
    ...raises("assertion", "total = @big@\nassert total < 10, '@msg@'\n", "error", "@msg@", { also: ["test_failure"] }),
    ...raises(
      "own-exception",
      "class @type@Error(Exception):\n    pass\nraise @type@Error('@msg@')\n",
      "error",
      "@msg@",
    ),
    ...raises(
      "chained",
      "try:\n    {}['@id@']\nexcept KeyError as e:\n    raise RuntimeError('@msg@') from e\n",
      "error",
      "@msg@",
    ),
    ...raises(
      "during-handling",
      "try:\n    int('@stem@')\nexcept ValueError:\n    raise LookupError('@msg@')\n",
      "error",
      "@msg@",
    ),
    ...raises("recursion", "def f(n):\n    return f(n + 1)\nf(0)\n", "error", "maximum recursion depth", {
      also: ["crash"],
    }),
    ...raises(
      "connection-refused",
      "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:@closed@/')\n",
      "network",
      "Connection refused",
    ),
    ...raises(
      "socket-refused",
      "import socket\nsocket.create_connection(('127.0.0.1', @closed@))\n",
      "network",
      "Connection refused",
    ),
    ...raises("dns", "import urllib.request\nurllib.request.urlopen('http://@host@/')\n", "network", "resolution", {
      also: ["not_found"],
    }),
    ...raises(
      "http-500",
      "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:@http@/status/500')\n",
      "http_server_error",
      "500",
    ),
    ...raises(
      "http-404",
      "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:@http@/status/404')\n",
      "not_found",
      "404",
      { also: ["http_client_error"] },
    ),
    ...raises(
      "socket-timeout",
      "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:@http@/slow', timeout=0.5)\n",
      "timeout",
      "timed out",
    ),
    ...raises(
      "subprocess",
      "import subprocess\nsubprocess.run(['ls', '@missing@'], check=True)\n",
      "not_found",
      "@missing@",
      { also: ["exit_code", "error"] },
    ),
    ...raises("subprocess-missing", "import subprocess\nsubprocess.run(['@stem@-cli'])\n", "not_found", "@stem@-cli"),
    ...raises("keyboard-interrupt", "raise KeyboardInterrupt\n", "cancelled", "KeyboardInterrupt", { also: ["error"] }),
    ...raises("system-exit", "import sys\nprint('validating')\nsys.exit('@stem@: @msg@')\n", "error", "@msg@", {
      also: ["exit_code"],
    }),
    ...raises("exit-3", "import sys\nprint('validated 3 files')\nsys.exit(3)\n", "exit_code", "", {}),
    ...raises("os-abort", "import os\nos.abort()\n", "crash", "", { signs: ["Aborted"] }),
    ...raises("segfault", "import ctypes\nctypes.string_at(0)\n", "crash", "", { signs: ["Segmentation"] }),
    ...raises(
      "memory",
      "import resource\nresource.setrlimit(resource.RLIMIT_AS, (300_000_000,)*2)\nx = bytearray(10**9)\n",
      "crash",
      "MemoryError",
      { also: ["error"] },
    ),
    ...raises(
      "argparse",
      "import argparse\np = argparse.ArgumentParser()\np.add_argument('--@id2@', required=True)\np.parse_args()\n",
      "invalid_arguments",
      "@id2@",
      { exit: 2 },
    ),
    ...raises(
      "sqlite",
      "import sqlite3\nsqlite3.connect(':memory:').execute('select * from @mod@')\n",
      "not_found",
      "@mod@",
      { also: ["error"] },
    ),
    ...raises(
      "sqlite-unique",
      "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table @stem@(id integer primary key)')\nc.execute('insert into @stem@ values (1)')\nc.execute('insert into @stem@ values (1)')\n",
      "error",
      "@stem@.id",
      { also: ["precondition"] },
    ),
    ...raises(
      "traceback-then-output",
      "import sys, atexit\natexit.register(lambda: print('closing @stem@\\nsaved 3 rows'))\nraise ValueError('@msg@')\n",
      "error",
      "@msg@",
    ),
    ...raises(
      "output-then-traceback",
      "for i in range(40):\n    print('row', i, 'ok')\nraise RuntimeError('@msg@')\n",
      "error",
      "@msg@",
    ),
    ...raises(
      "thread",
      "import threading, sys\ndef work():\n    raise ValueError('@msg@')\nt = threading.Thread(target=work)\nt.start()\nt.join()\nsys.exit(1)\n",
      "error",
      "@msg@",
    ),
    ...raises(
      "asyncio",
      "import asyncio\nasync def main():\n    await asyncio.wait_for(asyncio.sleep(5), 0.1)\nasyncio.run(main())\n",
      "timeout",
      "Timeout",
      {},
    ),
    ...raises("group", "raise ExceptionGroup('@msg@', [ValueError(1), TypeError(2)])\n", "error", "@msg@"),
    ...raises("yaml", "import yaml\nyaml.safe_load('a: [1, 2\\nb: 3')\n", "error", "line", { needs: ["python3"] }),
    ...raises(
      "requests-refused",
      "import requests\nrequests.get('http://127.0.0.1:@closed@/v1')\n",
      "network",
      "Connection refused",
    ),
    ...raises(
      "requests-status",
      "import requests\nrequests.get('http://127.0.0.1:@http@/status/503').raise_for_status()\n",
      "http_server_error",
      "503",
    ),
    ...raises(
      "requests-401",
      "import requests\nrequests.get('http://127.0.0.1:@http@/status/401').raise_for_status()\n",
      "auth",
      "401",
      { also: ["http_client_error"] },
    ),
    ...raises(
      "requests-429",
      "import requests\nrequests.get('http://127.0.0.1:@http@/status/429').raise_for_status()\n",
      "rate_limited",
      "429",
      { also: ["http_client_error"] },
    ),
    ...raises(
      "requests-timeout",
      "import requests\nrequests.get('http://127.0.0.1:@http@/slow', timeout=0.4)\n",
      "timeout",
      "timed out",
      { also: ["network"] },
    ),
    ...raises(
      "requests-reset",
      "import requests\nrequests.get('http://127.0.0.1:@reset@/')\n",
      "network",
      "Connection",
      {},
    ),
    ...raises(
      "requests-json",
      "import requests\nprint(requests.get('http://127.0.0.1:@http@/html').json())\n",
      "error",
      "Expecting value",
      {},
    ),
    ...raises(
      "pandas-column",
      "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\nprint(df['@id@'])\n",
      "error",
      "@id@",
      { also: ["not_found"] },
    ),
    ...raises(
      "numpy-shape",
      "import numpy as np\nprint(np.ones(3) + np.ones(4))\n",
      "error",
      "could not be broadcast",
      { also: ["invalid_arguments"] },
    ),
    ...raises(
      "dataclass",
      "from dataclasses import dataclass\n@dataclass\nclass @type@:\n    name: str\n@type@()\n",
      "error",
      "name",
      { also: ["invalid_arguments"] },
    ),
    ...raises(
      "json-schema",
      "import jsonschema\njsonschema.validate({'a': 1}, {'required': ['@id@']})\n",
      "error",
      "@id@",
      { also: ["invalid_arguments"] },
    ),
    ...raises(
      "soft-print",
      "import sys\ntry:\n    open('@missing@')\nexcept OSError as e:\n    print(f'Error: {e}')\n    sys.exit(1)\n",
      "not_found",
      "@missing@",
    ),
    ...raises(
      "logged",
      "import logging, sys\nlogging.basicConfig(level=logging.INFO)\nlogging.info('start')\nlogging.critical('@msg@, giving up')\nsys.exit(2)\n",
      "error",
      "@msg@",
      { also: ["exit_code"] },
    ),
    ...raises(
      "log-exception",
      "import logging, sys\ntry:\n    1/0\nexcept Exception:\n    logging.exception('@msg@')\n    sys.exit(1)\n",
      "error",
      "",
      { signs: ["ZeroDivisionError"], fact: "division by zero" },
    ),
    bad("python3", "script-missing", "python3 @missing@", "not_found", "@missing@", P),
    bad("python3", "module-missing", "python3 -m @mod@", "not_found", "@mod@", { ...P, also: ["precondition"] }),
    bad("python3", "unknown-option", "python3 --lint @file@", "invalid_arguments", "--lint", { ...P }),
    bad("python3", "compile-all", "python3 -m py_compile @stem@.py", "build_failure", "@stem@.py", {
      ...P,
      files: { "@stem@.py": "x = = 1\n" },
      also: ["error"],
    }),
    bad("python3", "json-tool", "python3 -m json.tool @stem@.json", "error", "line", {
      ...P,
      files: { "@stem@.json": '{"a": 1,\n "b": }\n' },
      also: ["invalid_arguments"],
    }),
    bad("python3", "port-taken", "python3 -m http.server @http@ --bind 127.0.0.1", "error", "Address already in use", {
      ...P,
      also: ["precondition", "network"],
    }),
    bad("python3", "unittest-failure", "python3 -m unittest test_@stem@", "test_failure", "@big@ != 17", {
      ...P,
      files: { "test_@stem@.py": failing },
      signs: ["FAILED"],
    }),
    bad("python3", "unittest-error", "python3 -m unittest test_@stem@", "test_failure", "@msg@", {
      ...P,
      files: {
        "test_@stem@.py":
          "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        raise RuntimeError('@msg@')\n",
      },
      signs: ["FAILED"],
      also: ["error"],
    }),
    bad("python3", "unittest-import", "python3 -m unittest test_@stem@", "test_failure", "@mod@", {
      ...P,
      files: { "test_@stem@.py": "import @mod@\n" },
      also: ["not_found", "error", "precondition"],
      signs: ["FAILED"],
    }),
    bad("python3", "doctest", "python3 -m doctest @stem@.py", "test_failure", "Expected", {
      ...P,
      files: { "@stem@.py": '"""\n>>> 1 + @n@\n100\n"""\n' },
      signs: ["Test Failed"],
    }),

    fine("python3", "plain", "python3 -c \"print('processed', @big@, 'rows, errors: 0')\"", P),
    fine("python3", "caught", "python3 run.py", {
      ...P,
      files: {
        "run.py":
          "try:\n    int('x')\nexcept ValueError as e:\n    print('skipped row 3:', e)\nprint('imported 41 rows')\n",
      },
    }),
    fine("python3", "logged-warning", "python3 run.py", {
      ...P,
      files: { "run.py": "import logging\nlogging.warning('@msg@')\nprint('done')\n" },
    }),
    fine("python3", "logged-error-retried", "python3 run.py", {
      ...P,
      files: {
        "run.py":
          "import logging\nlogging.error('attempt 1 failed: @msg@')\nlogging.error('attempt 2 failed: @msg@')\nprint('attempt 3 succeeded, wrote @file@')\n",
      },
    }),
    fine("python3", "logged-traceback-handled", "python3 run.py", {
      ...P,
      files: {
        "run.py":
          "import logging\ntry:\n    1/0\nexcept Exception:\n    logging.exception('plugin @stem@ ignored')\nprint('12 plugins loaded, 1 ignored')\nprint('ready')\n",
      },
    }),
    fine("python3", "deprecation", "python3 -W always run.py", {
      ...P,
      files: { "run.py": "import warnings\nwarnings.warn('@id@ is deprecated', DeprecationWarning)\nprint('ok')\n" },
    }),
    fine("python3", "prints-json", "python3 run.py", {
      ...P,
      files: {
        "run.py":
          "import json\nprint(json.dumps({'error': None, 'errors': [], 'failed': 0, 'items': [1, 2]}, indent=2))\n",
      },
    }),
    fine("python3", "prints-traceback-text", "python3 run.py", {
      ...P,
      files: {
        "run.py":
          "import traceback\ntry:\n    {}['@id@']\nexcept KeyError:\n    text = traceback.format_exc()\nprint('stored report with', len(text.splitlines()), 'lines: KeyError')\n",
      },
    }),
    fine("python3", "unittest-ok", "python3 -m unittest -v test_@stem@", {
      ...P,
      files: { "test_@stem@.py": passing },
    }),
    fine("python3", "unittest-skips", "python3 -m unittest test_@stem@", {
      ...P,
      files: {
        "test_@stem@.py": `${passing}    @unittest.skip('error in upstream')\n    def test_s(self):\n        pass\n    @unittest.expectedFailure\n    def test_x(self):\n        self.fail('@msg@')\n`,
      },
    }),
    fine("python3", "compileall", "python3 -m compileall -f src", {
      ...P,
      files: { "src/error.py": "x = 1\n", "src/@stem@.py": "y = 2\n" },
    }),
    fine("python3", "json-tool", 'echo \'{"error": "", "status": "failed over"}\' | python3 -m json.tool', {
      ...P,
      maskable: false,
    }),
    fine("python3", "silent", "python3 -c 'pass'", P),
    fine("python3", "tool-plain", "python3 main.py", {
      ...P,
      tool: "python",
      maskable: false,
      files: { "main.py": "errors = {'timeout': 3, 'not found': 2}\nfor k, v in errors.items():\n    print(k, v)\n" },
    }),
    fine("python3", "help", "python3 -m json.tool --help", P),
    fine("python3", "exception-table", "python3 run.py", {
      ...P,
      files: {
        "run.py": "print('| exception | count |')\nprint('| ValueError: @msg@ | 3 |')\nprint('| TimeoutError | 0 |')\n",
      },
    }),
  ],
};
