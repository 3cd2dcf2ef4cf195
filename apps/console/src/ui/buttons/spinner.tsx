// The spinner of a pending action; the text next to it says which.
import type { JSX } from "solid-js";

export function Spinner(): JSX.Element {
  return (
    <span
      aria-hidden="true"
      class="inline-block size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
