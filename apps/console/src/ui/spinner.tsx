// The small turning circle of something that is under way; the words beside it say what.
import type { JSX } from "solid-js";

export function Spinner(): JSX.Element {
  return (
    <span
      aria-hidden="true"
      class="inline-block size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
