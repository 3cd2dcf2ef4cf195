// The keys that work on every page: Ctrl+K, `?`, `/`, and `g` followed by the letter of a page.
import { useNavigate } from "@solidjs/router";
import { onCleanup } from "solid-js";
import { isElsewhere } from "../../lib/shortcuts/is-elsewhere.ts";
import { singleKeysOn } from "../../lib/shortcuts/shortcut-choice.ts";
import { navPages } from "../routes.ts";

type GoKeys = {
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
};

const secondKeyWithinMs = 1_500;

export function useGoKeys(keys: GoKeys): void {
  const navigate = useNavigate();
  let goAtMs = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.toLowerCase() === "k" && (ctrlKey || metaKey)) {
      event.preventDefault();
      keys.openPalette();
      return;
    }
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || event.isComposing) return;
    if (!singleKeysOn() || isElsewhere(event)) return;
    const going = event.timeStamp - goAtMs < secondKeyWithinMs;
    goAtMs = key === "g" && !going ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const page = going ? navPages.find(({ nav }) => nav.shortcut === key) : undefined;
    if (page) {
      event.preventDefault();
      navigate(page.nav.href ?? page.path);
    } else if (!going && key === "?") {
      event.preventDefault();
      keys.openShortcuts();
    } else if (!going && key === "/") focusSearch(event);
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
}

/** For public pages: only `/`. */
export function useSearchKey(): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (singleKeysOn() && !event.defaultPrevented && !isElsewhere(event)) focusSearch(event);
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLElement>("[data-page-search]");
  if (!search) return;
  event.preventDefault();
  search.focus();
}
