// Files dropped anywhere on the page; without it the browser would leave the page to open the file.
import { createSignal, onCleanup } from "solid-js";

/** Returns whether files are being dragged over the page. */
export function useDrop(onFiles: (files: readonly File[]) => void): () => boolean {
  const [over, setOver] = createSignal(false);
  const listening = new AbortController();
  const { signal } = listening;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const onOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    setOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  };
  document.addEventListener("dragover", onOver, { signal });
  document.addEventListener("drop", onDrop, { signal });
  // Leaving the page, rather than moving between its elements.
  const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
  document.addEventListener("dragleave", onLeave, { signal });
  onCleanup(() => listening.abort());
  return over;
}
