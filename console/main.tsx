/** The console's page: started by page.html. */
import { render } from "preact";
import { Console } from "./model/console.ts";
import { wearTheme } from "./model/preferences.ts";
import { App } from "./view/app.tsx";

wearTheme();
const app = new Console();
app.start();
const place = document.getElementById("app");
if (place !== null) render(<App app={app} />, place);
