// Where single keys mean what they type, or belong to what is open.

const typing = "input, textarea, select, [contenteditable], [role=menu]";

/** Somebody types, or a dialog or menu is open. */
export function isElsewhere(target: EventTarget | null): boolean {
  const inField = target instanceof Element && target.closest(typing) !== null;
  return inField || document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}
