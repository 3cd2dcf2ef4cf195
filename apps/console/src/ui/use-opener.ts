// Returns the focus to what opened a dialog: the button, the trigger of the menu it was chosen from, or
// the page's heading if that is gone.
import { type Accessor, createComputed, on } from "solid-js";

/** Returns the handler for a dialog's `onCloseAutoFocus`. */
export function useOpener(open: Accessor<boolean>): (event: Event) => void {
  let opener: HTMLElement | undefined;
  createComputed(
    on(open, (isOpen) => {
      if (isOpen) opener = findOpener(document.activeElement);
    }),
  );
  return (event) => {
    event.preventDefault();
    const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>("h1");
    target?.focus({ preventScroll: true });
  };
}

function findOpener(active: Element | null): HTMLElement | undefined {
  const menu = active?.closest("[role=menu]");
  const trigger = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : null;
  const found = trigger ?? active;
  return found instanceof HTMLElement && found !== document.body ? found : undefined;
}
