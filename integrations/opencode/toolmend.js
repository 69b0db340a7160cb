// Toolmend for opencode: reports tool calls and their results to a local Toolmend server.
// Copy this file to ~/.config/opencode/plugins/ (or .opencode/plugins/ in a project), or run: toolmend hook install
// opencode
// It never blocks, never throws and never changes anything in opencode.

const URL_OF_TOOLMEND = process.env.TOOLMEND_URL ?? "http://127.0.0.1:4100";
const TOKEN = process.env.TOOLMEND_TOKEN;
const REPORTED_EVENTS = new Set(["session.created", "session.idle", "session.deleted"]);
const MAX_MESSAGES = 500;

/** Model of each assistant message; tool events contain only the message id. */
const models = new Map();

function report(event) {
  try {
    const headers = { "content-type": "application/json", ...(TOKEN ? { "x-toolmend-token": TOKEN } : {}) };
    const signal = AbortSignal.timeout(2000);
    fetch(`${URL_OF_TOOLMEND}/hooks/opencode`, { method: "POST", headers, body: JSON.stringify(event), signal })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
  } catch {
    // A failure of Toolmend must not affect opencode.
  }
}

function remember(info) {
  if (info?.role !== "assistant" || typeof info.id !== "string") return;
  models.set(info.id, { model: info.modelID, provider: info.providerID });
  if (models.size > MAX_MESSAGES) models.delete(models.keys().next().value);
}

export const Toolmend = async () => ({
  event: async ({ event } = {}) => {
    if (event?.type === "message.updated") remember(event.properties?.info);
    const part = event?.type === "message.part.updated" ? event.properties?.part : undefined;
    const isCall = part?.type === "tool" && part.state?.status !== "pending";
    if (isCall) report({ type: event.type, properties: { part }, ...models.get(part.messageID) });
    else if (REPORTED_EVENTS.has(event?.type)) report({ type: event.type, properties: event.properties });
  },
  "chat.message": async (input, output) => {
    const texts = (output?.parts ?? []).filter((part) => part?.type === "text").map((part) => part.text);
    const messageID = input?.messageID ?? output?.message?.id;
    report({ type: "chat.message", input: { sessionID: input?.sessionID, messageID }, prompt: texts.join("\n") });
  },
});
