// A single key that does something on one page, as long as single keys are on and nobody is typing.
import { onCleanup } from "solid-js";
import { isElsewhere } from "./is-elsewhere.ts";
import { singleKeysOn } from "./shortcut-choice.ts";

export function useShortcut(key: string, run: () => void): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!singleKeysOn() || event.defaultPrevented || isElsewhere(event.target)) return;
    event.preventDefault();
    run();
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
}
