// Starts the console.
import { render } from "solid-js/web";
import { App } from "./app.tsx";
import { somePartWaits, whenNoPartWaits } from "./ui/later.tsx";

/** What cannot be loaded by then says so in the console. */
const showsByMs = 5_000;

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

/** The page as the build drew it stays until the console shows the same: nothing flashes or moves. */
function replaceFirstView(view: HTMLElement, page: HTMLElement): void {
  const replace = () => {
    observer.disconnect();
    view.remove();
    page.hidden = false;
  };
  const look = () => {
    if (!somePartWaits() && page.querySelector(view.dataset.until ?? "*")) replace();
  };
  const observer = new MutationObserver(look);
  observer.observe(page, { childList: true, subtree: true });
  whenNoPartWaits(look);
  setTimeout(replace, showsByMs);
}
