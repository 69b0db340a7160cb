import type { Category, Status } from "../../src/core/model/outcome.ts";
import type { JsonObject } from "../../src/core/model/tool-call.ts";
import type { HookAgent } from "../../src/hook/agent-names.ts";

/** The folders of one run. Both are empty at its start. */
export interface ClientFolders {
  readonly home: string;
  readonly work: string;
}

/** A tool call that the scripted model makes. */
export interface ScriptedCall {
  readonly tool: string;
  /** A string is sent unchanged. */
  readonly arguments: JsonObject | string;
}

/** What the record of a call must contain. */
export interface ExpectedCall extends ScriptedCall {
  readonly what: string;
  readonly status: Status;
  readonly category?: Category;
  /** What the client's transcript and hooks know better than its requests. */
  readonly inTranscript?: { readonly status: Status; readonly category?: Category };
}

/** A real client: where it comes from, how it is run without a person, and what its tools are called. */
export interface DrivenClient {
  /** As in `toolmend env`. */
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly version: string;
  readonly bin: string;
  /** The name of its profile. */
  readonly profile: string;
  readonly model: string;
  /** The API it speaks, if the proxy may not read it. */
  readonly api?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes the settings that a person would have. */
  readonly configure?: (folders: ClientFolders, url: string) => void;
  readonly arguments: (prompt: string) => readonly string[];
  /** Goes on with the last session. Absent if the client cannot do so without a person. */
  readonly continueArguments?: (prompt: string) => readonly string[];
  /** Its hooks, as in `toolmend hook install`, and the arguments with which they run unattended. */
  readonly hooks?: { readonly agent: HookAgent; readonly moreArguments?: readonly string[] };
  /** A call of its shell tool. */
  readonly shell: (command: string) => ScriptedCall;
  readonly calls: (folders: ClientFolders) => readonly ExpectedCall[];
}
