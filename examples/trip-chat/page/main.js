import { createConversationView, fromSSE } from "../../../src/agent/view/index.ts";

const conversation = document.getElementById("conversation");
const form = document.getElementById("form");
const input = document.getElementById("question");
const send = document.getElementById("send");
const view = createConversationView();

/** One bubble per message of the user, and one for everything that follows it: texts and calls, in order. */
function render() {
  const bubbles = [];
  for (const item of view.list()) {
    const role = item.kind === "text" ? item.role : "assistant";
    if (role === "user" || bubbles.at(-1)?.dataset.role !== role) bubbles.push(bubble(role));
    bubbles.at(-1).append(item.kind === "text" ? paragraph(item.text) : chip(item));
  }
  conversation.replaceChildren(...bubbles);
}

function bubble(role) {
  const element = document.createElement("article");
  element.dataset.role = role;
  return element;
}

function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text });
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
  view.add({ role: "user", content: text });
  render();
  const response = await fetch("/chat", { method: "POST", body: text });
  for await (const event of fromSSE(response.body)) if (view.apply(event)) render();
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

view.load(await (await fetch("/messages")).json());
render();
document.body.dataset.ready = "true";
