// When single-key shortcuts must not fire.

const typing = "input, textarea, select, [contenteditable], [role=menu]";

/** The focus is in a field, or a dialog or menu is open. */
export function isElsewhere(target: EventTarget | null): boolean {
  const inField = target instanceof Element && target.closest(typing) !== null;
  return inField || document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}
