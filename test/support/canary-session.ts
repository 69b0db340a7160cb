import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./raw-http.ts";
import type { Script } from "./upstream/script.ts";
import { call, respond, say } from "./upstream/turn.ts";

/** A session in which every text contains a word: tool, arguments, results, leaked text, prompt and session id. */
export class CanarySession {
  readonly id: string;
  readonly #word: string;
  readonly #calls: number;
  readonly #messages: object[];

  constructor(word: string, calls = 30) {
    this.id = `${word}session`;
    this.#word = word;
    this.#calls = calls;
    this.#messages = [{ role: "user", content: `${word}prompt: fix the tests` }];
  }

  /**
   * One round: the model makes its calls, and the next request contains their failures. Like every client it sends its
   * whole history each time.
   */
  async run(url: string, word = this.#word): Promise<void> {
    const { content } = await this.#send(url, word);
    const uses = content.filter(({ type }) => type === "tool_use");
    this.#messages.push({ role: "assistant", content });
    const results = uses.map(({ id }, at) => ({
      ...{ type: "tool_result", tool_use_id: id, is_error: true },
      content: `Error: cannot open /srv/${word}result/${at}: no such file`,
    }));
    this.#messages.push({ role: "user", content: results });
    const thanks = await this.#send(url, word);
    this.#messages.push({ role: "assistant", content: thanks.content }, { role: "user", content: "go on" });
  }

  async #send(url: string, word: string): Promise<{ content: { type: string; id: string }[] }> {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": "k",
        "anthropic-version": "2023-06-01",
        "x-claude-code-session-id": this.id,
      },
      body: JSON.stringify({
        model: `m-${this.#calls}`,
        max_tokens: 100,
        tools: [{ name: `${word}tool`, input_schema: { type: "object" } }],
        messages: this.#messages,
      }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { content: { type: string; id: string }[] };
  }
}

/**
 * Calls the declared tool as often as the model's name says, and leaks one more call; replies with thanks to results.
 */
export const canaryScript: Script = ({ messages, model, tools }) => {
  const [name = ""] = (tools as readonly { readonly name: string }[]).map((tool) => tool.name);
  const word = name.replace(/tool$/, "");
  if (JSON.stringify(messages.at(-1)).includes('"tool_result"')) return respond(say("Thanks."));
  const leaked = `<tool_call>\n{"name": "${name}", "arguments": {"path": "${word}leak"}}\n</tool_call>`;
  return respond(
    say(leaked),
    ...Array.from({ length: Number(model.slice(2)) }, (_, at) =>
      call(name, { path: `/srv/${word}argument/${at}` }, `toolu_${word}${String(at).padStart(12, "0")}`),
    ),
  );
};

/**
 * Finds which of the words are in which files of a folder, by bytes. Searches a copy: a process that closes a database
 * file loses its own locks on it.
 */
export function findWords(folder: string, words: readonly string[]): readonly string[] {
  const copy = mkdtempSync(join(tmpdir(), "toolmend-copy-"));
  try {
    spawnSync("cp", ["-r", `${folder}/.`, copy]);
    return readdirSync(copy, { recursive: true })
      .map(String)
      .flatMap((name) => {
        const path = join(copy, name);
        const text = statSync(path).isFile() ? `${name}\n${readFileSync(path, "latin1")}` : name;
        return words.filter((word) => text.includes(word)).map((word) => `${word} in ${name}`);
      });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Waits until no file of a folder contains one of the words. Searches in another process: `findWords` would block the
 * server of the same process, which then never gets to delete them on a busy machine.
 */
export async function untilWordsAreGone(folder: string, words: readonly string[]): Promise<void> {
  const patterns = words.flatMap((word) => ["-e", word]);
  // Exit status 1: nothing found. 2: a file vanished meanwhile.
  const isGone = (): Promise<boolean> =>
    new Promise((resolve) => {
      execFile("grep", ["-rqaF", ...patterns, folder], (error) => resolve(error?.code === 1));
    });
  await until("no text is left", isGone, 60_000);
}
