import type { Category, Phase } from "../../model/outcome.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import type { ClientProfileName } from "../types.ts";

/** A fixed text of one client and what it means. General wording needs no phrase: the common rules read it. */
export interface ClientPhrase {
  readonly id: string;
  /** Where it stands: at the result's start, or at the start of one of its last lines. */
  readonly at: "start" | "last-lines";
  readonly text: string;
  readonly says: "failure" | "success" | "open";
  readonly category?: Category;
  readonly phase?: Phase;
}

/** How one client writes tool results. Data only: adding a client is adding such a file. */
export interface ClientProfile {
  readonly kind: "client-profile";
  readonly name: ClientProfileName;
  /** Starts of its `user-agent`, lower case. */
  readonly userAgents: readonly string[];
  /** Headers only this client sends, lower case. */
  readonly headers: readonly string[];
  /** Words only this client writes into results. */
  readonly texts: readonly string[];
  /** `ok`: this client flags every failure, so no flag means it worked. */
  readonly absentFlag: "ok" | "absent";
  /** `nothing`: this client sends an ok flag also for failures, so it is not believed. */
  readonly okFlag: "ok" | "nothing";
  /** Kinds of tools whose exit status this client keeps to itself. */
  readonly hidesExitStatus: readonly ToolKind[];
  /** The name it gives to calls it could not understand. */
  readonly invalidCallName?: string;
  /** What it appends to failed results; everything from here on is not the tool's. */
  readonly appendix?: string;
  /** A result that starts so ran a script; statuses of its commands stand under this key in what it printed. */
  readonly scriptStatus?: { readonly start: string; readonly key: string };
  readonly phrases: readonly ClientPhrase[];
}
