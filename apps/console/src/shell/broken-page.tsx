// Shown instead of a page that threw: a missing chunk reloads the page once, everything else shows a
// message and offers a reload.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createEffect, on, Show } from "solid-js";
import { reloadForChunk } from "../lib/load-once.ts";
import { Button } from "../ui/buttons/button.tsx";
import { TriangleAlert } from "../ui/icons.ts";

export function BrokenPage(props: { error: unknown; reset: () => void }): JSX.Element {
  const location = useLocation();
  const reloading = reloadForChunk(props.error, () => globalThis.location.reload());
  if (!reloading) console.error(props.error);
  createEffect(
    on(
      () => location.pathname,
      () => props.reset(),
      { defer: true },
    ),
  );
  return (
    <Show when={!reloading}>
      <div
        role="alert"
        class="mx-auto flex max-w-md flex-col items-center gap-3 px-5 py-24 text-center"
      >
        <TriangleAlert class="size-6 text-warning" aria-hidden="true" />
        <h2 class="text-xl">Something went wrong on this page</h2>
        <p class="text-muted">Reload to try again.</p>
        <Button variant="primary" onClick={() => globalThis.location.reload()}>
          Reload
        </Button>
      </div>
    </Show>
  );
}
