import type { ClientProfile } from "./client-profile.ts";

/** Anybody else: nothing is assumed. */
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
