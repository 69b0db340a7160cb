import { render } from "preact";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/top-bar.css";
import "./styles/cards.css";
import "./styles/tables.css";
import "./styles/notices.css";
import { App } from "./app.tsx";
import { startLive } from "./live.ts";

render(<App />, document.getElementById("app") as HTMLElement);
startLive();
