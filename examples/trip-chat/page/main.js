import { createToolView, fromSSE, rebuildConversation } from "../../../src/agent/view/index.ts";

const conversation = document.getElementById("conversation");
const form = document.getElementById("form");
const input = document.getElementById("question");
const send = document.getElementById("send");

/** Renders one response while it streams: text and calls, in order. */
function createResponseView() {
  const view = createToolView();
  const element = bubble("assistant");
  const paragraph = document.createElement("p");
  const chips = document.createElement("div");
  element.append(chips, paragraph);
  return {
    apply(event) {
      if (event.kind === "text") paragraph.textContent += event.text;
      else if (event.kind === "clarify") paragraph.textContent += ` ${event.text}`;
      else if (event.kind !== "tool_failed" && "error" in event) paragraph.textContent += ` ${event.error.message}`;
      else if (view.apply(event)) chips.replaceChildren(...view.list().map(chip));
    },
  };
}

function bubble(role, text = "", tools = []) {
  const element = document.createElement("article");
  element.dataset.role = role;
  if (tools.length > 0) element.append(...tools.map(chip));
  if (text !== "") element.append(Object.assign(document.createElement("p"), { textContent: text }));
  conversation.append(element);
  return element;
}

function chip({ name, state, result, error }) {
  const element = document.createElement("span");
  element.className = "chip";
  element.dataset.state = state;
  const more =
    state === "error" ? `: ${error.message}` : state === "ok" && result?.places ? `: ${result.places.join(", ")}` : "";
  element.textContent = `${name}${more}`;
  return element;
}

async function sendMessage(text) {
  bubble("user", text);
  const view = createResponseView();
  const response = await fetch("/chat", { method: "POST", body: text });
  for await (const event of fromSSE(response.body)) view.apply(event);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = input.value.trim();
  if (text === "") return;
  input.value = "";
  send.disabled = true;
  try {
    await sendMessage(text);
  } finally {
    send.disabled = false;
  }
});

const stored = await (await fetch("/messages")).json();
for (const { role, content, tools } of rebuildConversation(stored)) bubble(role, content, tools);
document.body.dataset.ready = "true";
