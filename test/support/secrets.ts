import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";

export { createRandom as seededRandom } from "../../src/demo/seeded-random.ts";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`;
const HEX = "0123456789abcdef";
const WORD = `${LETTERS}0123456789`;

/** Generated on demand: a secret must not appear in a source file. */
export function makeSecrets(random: () => number): readonly string[] {
  const of = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const word = (length: number): string => of(WORD, length);
  const pem = Array.from({ length: 6 }, () => word(64)).join("\n");
  return [
    `AKIA${of(`${UPPER}0123456789`, 16)}`,
    `ghp_${word(36)}`,
    `github_pat_${word(82)}`,
    `sk-ant-api03-${word(93)}AA`,
    `sk-${word(20)}T3BlbkFJ${word(20)}`,
    `sk-proj-${word(74)}T3BlbkFJ${word(74)}`,
    `xoxb-${of("0123456789", 12)}-${word(24)}`,
    `https://hooks.slack.com/services/T${word(8)}/B${word(8)}/${word(24)}`,
    `SG.${word(22)}.${word(43)}`,
    `npm_${word(36)}`,
    `glpat-${word(20)}`,
    `sk_live_${word(30)}`,
    `hf_${of(LETTERS, 34)}`,
    `shpat_${of(HEX, 32)}`,
    `gsk_${word(52)}`,
    `lin_api_${word(40)}`,
    `ntn_${of("0123456789", 11)}${word(35)}`,
    `vcp_${word(24)}`,
    `dapi${of(HEX, 32)}`,
    `dckr_pat_${word(27)}`,
    `figd_${word(43)}`,
    `glsa_${word(32)}_${of(HEX, 8)}`,
    `hvs.${word(95)}`,
    `tskey-auth-${word(12)}-${word(32)}`,
    `postgres://admin:${word(12)}@db.internal:5432/shop`,
    `mongodb+srv://root:${word(12)}@cluster0.example.net/shop`,
    `mysql://root:${word(12)}@10.0.0.5/shop`,
    `https://bob:${word(12)}@example.com/private`,
    `eyJ${word(20)}.eyJ${word(40)}.${word(43)}`,
    `-----BEGIN RSA PRIVATE KEY-----\nMI${pem}\n-----END RSA PRIVATE KEY-----`,
    `_authToken=${word(36)}`,
    `Bearer ${word(32)}`,
  ];
}

/** Other text that an exception message may contain. */
export const AROUND: readonly ((secret: string) => string)[] = [
  (secret) => `connect failed: ${secret}`,
  (secret) => `{"status":500,"token":"${secret}"}`,
  (secret) => `refused (${secret}) while calling`,
  (secret) => `password=${secret}`,
  (secret) => `Error: boom\n    at request (/srv/app/client.js:10:5)\n    with ${secret}`,
  (secret) => `${"x".repeat(490)} ${secret}`,
  (secret) => `${"word ".repeat(1598)}${secret}`,
  (secret) => secret,
];

/** The findings of a secret linter in a text. */
export async function lintSecrets(text: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: "text.txt", ext: ".txt", contentType: "text" },
    options: { config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }] } },
  });
  return messages.map(({ message }) => message);
}
