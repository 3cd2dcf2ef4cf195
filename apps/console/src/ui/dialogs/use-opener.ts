// Returns the focus to what opened a dialog: the button, the trigger of the menu it was chosen from, or
// the page's heading if that is gone.
import { type Accessor, createComputed, createContext, on, useContext } from "solid-js";

/** What had the focus when a dialog was asked for, which may be loaded and drawn later. */
export const Opener = createContext<HTMLElement | undefined>();

/** Returns the handler for a dialog's `onCloseAutoFocus`. */
export function useOpener(open: Accessor<boolean>): (event: Event) => void {
  const asked = useContext(Opener);
  let opener: HTMLElement | undefined;
  createComputed(
    on(open, (isOpen) => {
      if (isOpen) opener = asked ?? findOpener(document.activeElement);
    }),
  );
  return (event) => {
    event.preventDefault();
    const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>("h1");
    target?.focus({ preventScroll: true });
  };
}

export function findOpener(active: Element | null): HTMLElement | undefined {
  const menu = active?.closest("[role=menu]");
  const trigger = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : null;
  const found = trigger ?? active;
  return found instanceof HTMLElement && found !== document.body ? found : undefined;
}
