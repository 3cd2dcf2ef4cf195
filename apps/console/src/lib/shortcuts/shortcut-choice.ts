// Whether single-key shortcuts are enabled: on by default; switched off in the list of shortcuts.
import { createSignal } from "solid-js";

const storageKey = "single-key-shortcuts";

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

const [on, setOn] = createSignal(read());

export { on as singleKeysOn };

export function switchSingleKeys(wanted: boolean): void {
  setOn(wanted);
  try {
    localStorage.setItem(storageKey, wanted ? "on" : "off");
  } catch {
    // Then it lasts until the page is closed.
  }
}
