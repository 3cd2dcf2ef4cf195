// Whether single keys do something: on, until a reader switches them off in the list of shortcuts.
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
    // Then it holds as long as the page.
  }
}
