// The first tab stop: skips the navigation.
import type { JSX } from "solid-js";

export function SkipLink(): JSX.Element {
  return (
    // biome-ignore lint/a11y/useValidAnchor: the router would treat a plain fragment as a route change
    <a
      href="#main"
      class="fixed start-4 top-2 z-[80] -translate-y-16 rounded-control bg-brand px-4 py-2 font-medium text-on-brand focus:translate-y-0"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}
    >
      Skip to content
    </a>
  );
}
