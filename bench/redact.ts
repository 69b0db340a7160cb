/** The cost of redaction, as ratios in one run. `npm run bench -- redact` prints the rows. */
import { redact } from "../src/core/redact/redact.ts";
import { redactedExcerpt } from "../src/ingest/observe/redact.ts";
import type { CoreRow } from "./core-row.ts";
import { best, markdown, slope } from "./recover.ts";

const KB = 1024;
const MB = 1024 * KB;
const SIZES = [4 * KB, 16 * KB, 64 * KB, 256 * KB, MB];

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** Units that trigger a finder every few characters and match nothing or everything. */
const ADVERSARIAL: Readonly<Record<string, string>> = {
  "openers of tokens": "-eyJabcdefgh sk-sk-xoxb-",
  "names without values": "password secret token key ",
  "names and quotes": '"token":"password=\'',
  "labels of another script": "a 密码：密 ",
  "names of variables": '{"name":"password",',
  commands: "mysql -p sshpass -p echo a | sudo -S ",
  backslashes: '\\\\\\"',
  "addresses without an end": "://a:a@",
  "keys without an end": "-----BEGIN RSA PRIVATE KEY-----\n",
  "lines of fields": "a:5432:b:c:\n",
  tables: "a,password,b\n",
  elements: "<token><password>",
};

/** Logs, settings and code, with words that secrets are named by. */
function results(size: number): string {
  const lines = [
    "2026-03-10T12:00:00Z INFO request=7f3c9a10-52d4-4c1e status=200 duration=12ms",
    'const token = await getToken({ password: input.password, key: "theme" });',
    "src/auth/token.ts:12:5 - error TS2322: Type 'string' is not assignable to type 'Token'.",
    '{"id": 17, "name": "shop", "max_tokens": 4096, "url": "https://example.com/a?b=1"}',
    "  - name: PORT\n    value: '8080'",
    "docker run -d -p 8080:80 --name web nginx:1.27 && git push -u origin main",
  ];
  return fill(`${lines.join("\n")}\n`, size);
}

function ratioToParse(text: string): { readonly ratio: number; readonly speed: number } {
  const json = JSON.stringify(text);
  const own = best(() => void redact(text), 15);
  const parse = best(() => void JSON.parse(json), 15);
  return { ratio: parse / own, speed: text.length / MB / (own / 1000) };
}

export function benchRedact(): readonly CoreRow[] {
  const work = (text: string): void => void redact(text);
  const prose = ratioToParse(markdown(MB));
  const output = ratioToParse(results(MB));
  const failure = results(2000);
  const failureJson = JSON.stringify(failure);
  const failureMs = best(() => {
    for (let count = 0; count < 200; count += 1) redactedExcerpt(failure, 500);
  }, 15);
  const parseMs = best(() => {
    for (let count = 0; count < 200; count += 1) JSON.parse(failureJson);
  }, 15);
  const slopes = Object.values(ADVERSARIAL).map((unit) => slope((size) => fill(unit, size), SIZES, 3, work));
  const worst = Math.max(...Object.values(ADVERSARIAL).map((unit) => best(() => work(fill(unit, MB)), 2)));
  const slowest = { value: worst, ratio: worst / best(() => work(results(MB)), 3) };
  const growth = slope(results, SIZES, 7, work);
  return [
    { name: "redact: 1 MB of markdown", value: prose.speed, unit: "MB/s", reach: "≥ 0.01×", ratio: prose.ratio },
    { name: "redact: 1 MB of results", value: output.speed, unit: "MB/s", reach: "≥ 0.005×", ratio: output.ratio },
    {
      name: "redact: excerpt of a failure, of 2,000 characters",
      value: (failureMs * 1000) / 200,
      unit: "µs",
      reach: "",
      ratio: parseMs / failureMs,
    },
    { name: "redact: slope of time over size, 4 KB to 1 MB", value: growth, unit: "", reach: "≤ 1.15×", ratio: growth },
    {
      name: "redact: the same for texts made to be slow, the worst",
      value: Math.max(...slopes),
      unit: "",
      reach: "≤ 1.15×",
      ratio: Math.max(...slopes),
    },
    { name: "redact: 1 MB made to be slow, against results", ...slowest, unit: "ms", reach: "≤ 20×" },
  ];
}
