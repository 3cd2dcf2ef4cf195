// Whether single-key shortcuts are enabled: on by default; switched off in the list of shortcuts.
import { createSignal } from "solid-js";
import { readStored, writeStored } from "../stored-text.ts";

const storageKey = "single-key-shortcuts";

const [on, setOn] = createSignal(readStored(storageKey) !== "off");

export { on as singleKeysOn };

export function switchSingleKeys(wanted: boolean): void {
  setOn(wanted);
  writeStored(storageKey, wanted ? "on" : "off");
}
