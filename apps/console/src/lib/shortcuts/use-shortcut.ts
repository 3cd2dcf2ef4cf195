// A single-key shortcut of one page; active while single-key shortcuts are on and no field has the focus.
import { onCleanup } from "solid-js";
import { isElsewhere } from "./is-elsewhere.ts";
import { singleKeysOn } from "./shortcut-choice.ts";

export function useShortcut(key: string, run: () => void): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!singleKeysOn() || event.defaultPrevented || isElsewhere(event)) return;
    event.preventDefault();
    run();
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
}
