// Whether a media query matches, for what CSS alone cannot do: a table that becomes cards.
import { type Accessor, createSignal, onCleanup } from "solid-js";

export function useMedia(query: string): Accessor<boolean> {
  const list = matchMedia(query);
  const [matches, setMatches] = createSignal(list.matches);
  const update = () => setMatches(list.matches);
  list.addEventListener("change", update);
  onCleanup(() => list.removeEventListener("change", update));
  return matches;
}

export function usePhone(): Accessor<boolean> {
  return useMedia("(width < 40rem)");
}
