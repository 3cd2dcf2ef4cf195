// Which columns of a table the user has hidden: remembered in this browser, per table.
import { type Accessor, createSignal } from "solid-js";
import { readStored, writeStored } from "../lib/stored-text.ts";

export type ColumnChoice = {
  readonly isHidden: (id: string) => boolean;
  readonly toggle: (id: string) => void;
};

export function useColumns(table: Accessor<string | undefined>): ColumnChoice {
  const storageKey = () => `columns.${table() ?? ""}`;
  const [hidden, setHidden] = createSignal((readStored(storageKey()) ?? "").split(" "));
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
