// When single-key shortcuts must not fire.

const typing = "input, textarea, select, [contenteditable], [role=menu]";

/** The focus is in a field, or a dialog or menu is open. */
export function isElsewhere(event: Event): boolean {
  // From outside, what happens in a shadow root seems to happen to its host.
  const [target] = event.composedPath();
  const inField = target instanceof Element && target.closest(typing) !== null;
  return inField || document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}
