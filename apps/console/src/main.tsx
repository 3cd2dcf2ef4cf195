// Starts the console.
import { render } from "solid-js/web";
import { App } from "./app.tsx";
import { replaceFirstView } from "./ui/states/replace-first-view.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
const firstView = document.getElementById("first-view");
if (firstView) {
  replaceFirstView(firstView, root);
  // The page can be read by now: the reader's taps come before the work.
  setTimeout(start, 0, root);
} else {
  start(root);
}

function start(page: HTMLElement): void {
  // The frame of index.html was shown until now; `render` would add to it.
  page.replaceChildren();
  render(() => <App />, page);
}
