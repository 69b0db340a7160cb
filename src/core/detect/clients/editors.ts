import type { ClientProfile } from "./client-profile.ts";
import { plain } from "./plain.ts";

/** Clients that are only recognized: their results are classified by the common rules. */
export const zed: ClientProfile = { ...plain, name: "zed", userAgents: ["zed/"] };
export const cursor: ClientProfile = {
  ...plain,
  name: "cursor",
  userAgents: ["cursor/"],
  headers: ["x-cursor-client-version"],
};
export const crush: ClientProfile = { ...plain, name: "crush", userAgents: ["charm-crush/", "charm crush/"] };
export const goose: ClientProfile = {
  ...plain,
  name: "goose",
  userAgents: ["goose/", "goose-ai-agent"],
  systemTexts: ["You are a general-purpose AI agent called goose"],
};
