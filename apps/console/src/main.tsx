// Starts the console.
import { render } from "solid-js/web";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// The shell of index.html was shown until now; `render` would add to it.
root.replaceChildren();
render(() => <App />, root);
