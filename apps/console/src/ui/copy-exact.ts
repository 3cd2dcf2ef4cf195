// Copies exact amounts: if a rounded amount (`data-exact`) is selected as a whole, the clipboard gets
// its exact value. A part of it, such as two digits, is copied as shown.

/** Listens until the returned function is called. */
export function copyExactAmounts(): () => void {
  document.addEventListener("copy", onCopy);
  return () => document.removeEventListener("copy", onCopy);
}

function onCopy(event: ClipboardEvent): void {
  const selection = getSelection();
  const clipboard = event.clipboardData;
  if (event.defaultPrevented || clipboard === null || !selection || selection.rangeCount === 0)
    return;
  const range = selection.getRangeAt(0);
  const alone = exactOf(range);
  if (alone !== undefined) {
    clipboard.setData("text/plain", alone);
    event.preventDefault();
    return;
  }
  const copy = document.createElement("div");
  copy.append(range.cloneContents());
  const rounded = [...copy.querySelectorAll<HTMLElement>("[data-exact]")];
  const whole = rounded.filter((one) => isWhole(one, range));
  if (whole.length === 0) return;
  for (const one of whole) one.textContent = one.dataset.exact ?? one.textContent;
  clipboard.setData("text/plain", layOut(copy));
  clipboard.setData("text/html", copy.innerHTML);
  event.preventDefault();
}

/** The exact amount if a rounded one, and nothing else, is selected. */
function exactOf(range: Range): string | undefined {
  const { commonAncestorContainer: common } = range;
  const element = common instanceof Element ? common : common.parentElement;
  const amount = element?.closest<HTMLElement>("[data-exact]");
  const isWholeText = amount?.textContent?.trim() === range.toString().trim();
  return isWholeText ? amount?.dataset.exact : undefined;
}

/** The first and last amount of a selection may be selected only in part. */
function isWhole(copied: HTMLElement, range: Range): boolean {
  const original = [...document.querySelectorAll<HTMLElement>("[data-exact]")].filter((one) =>
    range.intersectsNode(one),
  );
  return original.some(
    (one) => one.dataset.exact === copied.dataset.exact && one.textContent === copied.textContent,
  );
}

/** As the browser would: cells separated by tabs, rows by newlines. */
function layOut(copy: HTMLElement): string {
  copy.className = "fixed start-0 top-0 -z-10 opacity-0";
  document.body.append(copy);
  // biome-ignore lint/performance/useDomNodeTextContent: the layout is what is wanted: tabs and lines
  const text = copy.innerText;
  copy.remove();
  return text;
}
