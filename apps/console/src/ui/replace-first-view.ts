// The page as the build drew it stays until the console shows the same: nothing flashes or moves, and what the reader did
// with it is kept.
import { somePartWaits, whenNoPartWaits } from "./later.tsx";

/** What cannot be loaded by then says so in the console. */
const showsByMs = 5_000;

/** `page`, where the console is drawn, is hidden until it has taken over. */
export function replaceFirstView(view: HTMLElement, page: HTMLElement): void {
  const replace = () => {
    clearTimeout(timer);
    observer.disconnect();
    stopLooking();
    openSame(view, page);
    const focus = findSame(document.activeElement, view, page);
    showFromTop(page);
    view.remove();
    page.hidden = false;
    focus?.focus({ preventScroll: true });
  };
  const look = () => {
    if (!somePartWaits() && page.querySelector(view.dataset.until ?? "*")) replace();
  };
  const observer = new MutationObserver(look);
  observer.observe(page, { childList: true, subtree: true });
  const stopLooking = whenNoPartWaits(look);
  const timer = setTimeout(replace, showsByMs);
  // Its links load their pages: the router would open them in the hidden console.
  view.addEventListener("click", (event) => event.stopPropagation());
}

function openSame(view: HTMLElement, page: HTMLElement): void {
  const shown = page.querySelectorAll("details");
  for (const [index, { open }] of view.querySelectorAll("details").entries()) {
    const same = shown[index];
    if (same) same.open = open;
  }
}

/** What has the focus in the view, in the page: by its address or its text. */
function findSame(
  focused: Element | null,
  view: HTMLElement,
  page: HTMLElement,
): HTMLElement | undefined {
  if (focused === null || !view.contains(focused)) return undefined;
  const isSame = (one: HTMLElement) =>
    one.getAttribute("href") === focused.getAttribute("href") &&
    one.textContent === focused.textContent;
  return [...page.querySelectorAll<HTMLElement>(focused.tagName)].find(isSame);
}

/** Parts below may be laid out later, unless the reader has scrolled: their sizes are only estimated until then. */
function showFromTop(page: HTMLElement): void {
  if (scrollY > 0) return;
  page.dataset.fromTop = "";
  addEventListener("scroll", () => delete page.dataset.fromTop, { once: true });
}
