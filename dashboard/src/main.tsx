import { render } from "preact";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/top-bar.css";
import "./styles/panels.css";
import "./styles/tables.css";
import "./styles/charts.css";
import "./styles/pages.css";
import "./styles/notices.css";
import { App } from "./app.tsx";
import { startKeys, startRowClicks } from "./keys.ts";
import { startLive } from "./live.ts";

render(<App />, document.getElementById("app") as HTMLElement);
startKeys();
startRowClicks();
startLive();
