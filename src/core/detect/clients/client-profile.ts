import type { Category, Phase } from "../../model/outcome.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import type { ClientProfileName } from "../types.ts";
import type { ClientText } from "./client-text.ts";

/** A fixed phrase of one client and its meaning. General wording is covered by the common rules. */
export interface ClientPhrase {
  readonly id: string;
  /** Position: at the start of the result, or of one of its last lines. */
  readonly at: "start" | "last-lines";
  readonly text: string;
  readonly says: "failure" | "success" | "open";
  readonly category?: Category;
  readonly phase?: Phase;
}

/** How one client writes tool results. A new client needs only such a file. */
export interface ClientProfile {
  readonly kind: "client-profile";
  readonly name: ClientProfileName;
  /** Prefixes of its `user-agent`, lower case. */
  readonly userAgents: readonly string[];
  /** Headers only this client sends, lower case. */
  readonly headers: readonly string[];
  /** Text near the start of its system prompt. Several clients send nothing but the name of an SDK. */
  readonly systemTexts?: readonly string[];
  /** A library that clients are built with: everything else is a better clue than its name. */
  readonly isLibrary?: true;
  /** Text that only this client writes into results. */
  readonly texts: readonly string[];
  /** `ok`: this client flags every failure, so a missing flag means success. */
  readonly absentFlag: "ok" | "absent";
  /** `nothing`: this client also sends an ok flag for failures, so the flag is ignored. */
  readonly okFlag: "ok" | "nothing";
  /** Kinds of tools whose exit code this client does not report. */
  readonly hidesExitStatus: readonly ToolKind[];
  /** Name that it gives to invalid calls. */
  readonly invalidCallName?: string;
  /** Text that it appends to failed results; everything from here on is not tool output. */
  readonly appendix?: string;
  /** It appends `<system-reminder>` blocks to results. */
  readonly appendsReminders?: true;
  /** The last line of every shell result, with the exit code after the label. */
  readonly exitLine?: { readonly start: string; readonly label: string };
  /** Returns the tool's own text, if the client wrote one of its own forms around it. Pure and linear. */
  readonly unwrap?: (text: string) => ClientText | undefined;
  /** Prefix of script results; the output contains the exit codes of the script's commands under this key. */
  readonly scriptStatus?: { readonly start: string; readonly key: string };
  readonly phrases: readonly ClientPhrase[];
}
