import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { Ledger } from "../../src/demo/ledger.ts";
import type { BreakdownRow, StoreReader } from "../../src/store/port.ts";
import type { Script } from "./upstream/script.ts";
import { call, respond } from "./upstream/turn.ts";

const TOOLS = ["Bash", "Read", "Edit"] as const;

/** The model calls one tool after the other, as often as the client asks for in its first message. */
export const hoppingScript: Script = ({ messages }) => {
  const text = JSON.stringify(messages);
  const total = Number(/ (\d+) steps/.exec(text)?.[1] ?? 0);
  const done = text.match(/"tool_result"/g)?.length ?? 0;
  return done < total ? respond(call(TOOLS[done % 3] as string, { step: done, of: text.length })) : respond("Done.");
};

export interface HoppingOptions {
  /** Current URLs of the proxies. */
  readonly proxies: () => readonly string[];
  readonly sessions: number;
  readonly steps: number;
  /** Prefix of the session names, so that two loads do not share sessions. */
  readonly name: string;
  /** Pause between two requests of a session. */
  readonly pauseMs?: number;
  /** Called after each response with the number of responses so far. */
  readonly onResponse?: (responses: number) => void;
}

/** What the load sent, and what failed. */
export interface HoppingResult {
  readonly ledger: Ledger;
  readonly requests: number;
  /** Requests without a successful response, each with its problem. */
  readonly failed: readonly string[];
}

/**
 * Sessions whose requests each go to a random proxy; one in five is sent to two of them concurrently, like a client
 * that retries too early. After a connection error the next proxy is tried; a response with an error status is a
 * failure.
 */
export async function hop(options: HoppingOptions): Promise<HoppingResult> {
  const ledger = new Ledger();
  const failed: string[] = [];
  let [requests, responses] = [0, 0];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const send = async (session: string, messages: readonly object[]): Promise<ModelResponse | undefined> => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const proxies = options.proxies();
      try {
        requests += 1;
        const response = await fetch(`${proxies[random(proxies.length)]}/v1/messages`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "user-agent": "claude-cli/2.1.0 (external, cli)",
            "x-claude-code-session-id": session,
          },
          body: JSON.stringify({ model: "m", max_tokens: 99, messages }),
        });
        if (!response.ok) failed.push(`${response.status}: ${await response.text()}`);
        const received = (await response.json()) as ModelResponse;
        responses += 1;
        options.onResponse?.(responses);
        return received;
      } catch (error) {
        if (!(error instanceof TypeError)) failed.push(String(error));
        await wait(50);
      }
    }
    failed.push("no proxy could be reached");
    return undefined;
  };
  const runSession = async (number: number): Promise<void> => {
    const session = `${options.name}-${number}`;
    const messages: object[] = [{ role: "user", content: `Do ${options.steps} steps.` }];
    for (let step = 0; ; step += 1) {
      const twice = random(5) === 0;
      const [response] = await Promise.all([send(session, messages), twice ? send(session, messages) : undefined]);
      const used = response?.content.find(({ type }) => type === "tool_use");
      if (response === undefined || used === undefined) return;
      const fails = (number + step) % 4 === 0;
      messages.push({ role: "assistant", content: response.content });
      messages.push({
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: used.id,
            content: fails ? `Exit code ${step + 1}` : "fine",
            is_error: fails,
          },
        ],
      });
      const expected = fails ? "failed" : "ok";
      ledger.add({ agent: session, model: "m", api: "anthropic", tool: used.name as string, expected });
      await wait(options.pauseMs ?? 0);
    }
  };
  await Promise.all(Array.from({ length: options.sessions }, (_, number) => runSession(number)));
  return { ledger, requests, failed };
}

interface ModelResponse {
  readonly content: readonly { readonly type: string; readonly id?: string; readonly name?: string }[];
}

/** Expects every call exactly once, with its outcome, by tool and by session. */
export async function expectAsInLedger(reader: StoreReader, ...loads: readonly HoppingResult[]): Promise<void> {
  const all = new Ledger();
  for (const { ledger, failed } of loads) {
    expect(failed).toEqual([]);
    for (const entry of ledger.entries) all.add(entry);
  }
  const short = (rows: readonly BreakdownRow[]): object =>
    Object.fromEntries(rows.map(({ key, calls, ok, failed, unknown }) => [key, { calls, ok, failed, unknown }]));
  expect(short(await reader.breakdown("tool", {}))).toEqual(Object.fromEntries(all.by("tool")));
  expect(short(await reader.breakdown("session", {}))).toEqual(Object.fromEntries(all.by("agent")));
}
