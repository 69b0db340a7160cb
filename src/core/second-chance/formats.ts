import type { Api } from "../wire/turn.ts";
import { chatFormat } from "./chat-format.ts";
import { messagesFormat } from "./messages-format.ts";
import { responsesFormat } from "./responses-format.ts";
import type { AskableApi, AttemptFormat } from "./types.ts";

export const FORMATS: Readonly<Record<AskableApi, AttemptFormat>> = {
  anthropic: messagesFormat,
  chat: chatFormat,
  responses: responsesFormat,
};

/** Whether responses of this API can be requested again. */
export function canAskAgain(api: Api): api is AskableApi {
  return Object.hasOwn(FORMATS, api);
}
