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
    const read = findRead(view);
    const readAt = read?.getBoundingClientRect().top ?? 0;
    const same = findSame(read, view, page);
    view.remove();
    page.hidden = false;
    // What differs by installation is not in the view: above the reader, it would move the page.
    if (same) scrollBy(0, same.getBoundingClientRect().top - readAt);
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
    // One that the page has opened itself, for its address, stays open.
    if (same && open) same.open = true;
  }
}

/** The same element of the page: by its address, its text, and how many are like it before it. */
function findSame(
  wanted: Element | undefined | null,
  view: HTMLElement,
  page: HTMLElement,
): HTMLElement | undefined {
  if (!(wanted instanceof HTMLElement) || !view.contains(wanted)) return undefined;
  const alike = (place: HTMLElement) =>
    [...place.querySelectorAll<HTMLElement>(wanted.tagName)].filter(
      (one) =>
        one.getAttribute("href") === wanted.getAttribute("href") &&
        one.textContent === wanted.textContent,
    );
  return alike(page)[alike(view).indexOf(wanted)];
}

/** The first heading or paragraph in the window of a reader who has scrolled. */
function findRead(view: HTMLElement): HTMLElement | undefined {
  if (scrollY === 0) return undefined;
  const texts = view.querySelectorAll<HTMLElement>("h1, h2, h3, p, summary, dt");
  return [...texts].find((one) => one.checkVisibility() && one.getBoundingClientRect().top >= 0);
}
