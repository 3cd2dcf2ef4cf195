// What may keep a dialog open when its reader presses Esc or clicks beside it: a form with input that would be lost.
import { createContext } from "solid-js";

/** True if it keeps the dialog open, for now; `leave` closes it later. */
export type DialogGuard = (leave: () => void) => boolean;

/** Undefined outside of dialogs. */
export const DialogGuards = createContext<Set<DialogGuard>>();
