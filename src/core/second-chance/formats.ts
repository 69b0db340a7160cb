import type { Api } from "../wire/turn.ts";
import { chatFormat } from "./chat-format.ts";
import { messagesFormat } from "./messages-format.ts";
import { responsesFormat } from "./responses-format.ts";
import type { AttemptFormat } from "./types.ts";

export const FORMATS: Readonly<Record<Api, AttemptFormat>> = {
  anthropic: messagesFormat,
  chat: chatFormat,
  responses: responsesFormat,
};
