// `j` and `k` move through the rows, Enter opens the focused one (it is a link); with a
// request open they move to the next or previous one.
import { onCleanup } from "solid-js";
import { singleKeysOn } from "../../lib/shortcuts/shortcut-choice.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

export function useRowKeys(view: LogsView, rows: () => readonly LogRow[]): void {
  const onKey = (event: KeyboardEvent) => {
    if ((event.key !== "j" && event.key !== "k") || !singleKeysOn()) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // Two requests that are compared stay.
    const open = view.openId();
    if (view.chosenId() !== undefined && open !== undefined) return;
    if (open === undefined && document.querySelector('[role="dialog"], [role="menu"]')) return;
    const ids = rows().map((row) => row.id);
    const at = ids.indexOf(open ?? focusedRow() ?? "");
    const id = ids[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
    if (id === undefined) return;
    event.preventDefault();
    if (open === undefined) focusRow(id);
    else view.open(id, { replace: true });
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
}

function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`)?.focus();
}
