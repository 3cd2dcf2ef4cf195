// Which columns of a table are hidden: as the user chose in this browser, per table, else as the table begins.
import { type Accessor, createSignal } from "solid-js";
import { readStored, writeStored } from "../../lib/stored-text.ts";

export type ColumnChoice = {
  readonly isHidden: (id: string) => boolean;
  readonly toggle: (id: string) => void;
};

type Hideable = { readonly id: string; readonly startsHidden?: boolean };

export function useColumns(
  table: Accessor<string | undefined>,
  columns: readonly Hideable[],
): ColumnChoice {
  const storageKey = () => `columns.${table() ?? ""}`;
  const hiddenAtFirst = () =>
    columns.filter((one) => one.startsHidden === true).map(({ id }) => id);
  const [hidden, setHidden] = createSignal(readStored(storageKey())?.split(" ") ?? hiddenAtFirst());
  return {
    isHidden: (id) => table() !== undefined && hidden().includes(id),
    toggle(id) {
      const known = hidden();
      const next = known.includes(id) ? known.filter((one) => one !== id) : [...known, id];
      setHidden(next);
      writeStored(storageKey(), next.join(" "));
    },
  };
}
