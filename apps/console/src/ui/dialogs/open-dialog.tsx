// The dialogs that are open, one above another. A button or a menu opens one without drawing it, and without its code: that
// is loaded after the page, because the library of overlays is larger than most pages. They close with their page.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createComputed, createSignal, For, lazy, on, onCleanup, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import type { Values } from "../forms/create-form.ts";
import type { Change, Question } from "./change-dialog.tsx";
import { findOpener, Opener } from "./use-opener.ts";

const ChangeDialog = lazy(loadOnce(() => import("./change-dialog.tsx")));

type Opened = {
  readonly opener: HTMLElement | undefined;
  readonly draw: (close: () => void) => JSX.Element;
};

const [opened, setOpened] = createSignal<readonly Opened[]>([]);

/** Drawn until it calls `close`. */
export function openDialog(draw: Opened["draw"]): void {
  const one = { draw, opener: findOpener(document.activeElement) };
  // A second click before the first one's code has arrived.
  const isAsked = ({ opener }: Opened) => opener !== undefined && opener === one.opener;
  setOpened((others) => (others.some(isAsked) ? others : [...others, one]));
}

/** Opens the dialog of a change. */
export function askChange<V extends Values, Answer>(change: Change<V, Answer>): void {
  openDialog((close) => <ChangeDialog change={change} onClose={close} />);
}

/** Asks before a change that takes nothing else. */
export function askQuestion<Answer>(asked: Question<Answer>): void {
  const { destructive, typeToConfirm, ...change } = asked;
  askChange({ ...change, initial: {}, question: { destructive, typeToConfirm } });
}

export function OpenDialogs(): JSX.Element {
  const location = useLocation();
  const closeAll = () => setOpened([]);
  // A computation, not an effect: effects of an earlier phase of a transition run after those of the page it loads, which
  // may open one.
  createComputed(on(() => location.pathname, closeAll, { defer: true }));
  onCleanup(closeAll);
  return (
    <For each={opened()}>
      {(one) => (
        <Opener.Provider value={one.opener}>
          <Suspense>
            {one.draw(() => setOpened((all) => all.filter((other) => other !== one)))}
          </Suspense>
        </Opener.Provider>
      )}
    </For>
  );
}
