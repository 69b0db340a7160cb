import type { ClientProfile } from "./client-profile.ts";

/** Any other client: no assumptions. */
export const plain: ClientProfile = {
  kind: "client-profile",
  name: "plain",
  userAgents: [],
  headers: [],
  texts: [],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  phrases: [],
};
