// An address within the page for a file that exists only here. It is revoked with what shows it, and when the file changes.
import { type Accessor, createMemo, onCleanup } from "solid-js";

export function useObjectUrl(file: Accessor<Blob>): Accessor<string> {
  return createMemo(() => {
    const address = URL.createObjectURL(file());
    onCleanup(() => URL.revokeObjectURL(address));
    return address;
  });
}
