// Buttons and menus of the desk that open the dialog of an action, for operators who may.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { MenuPlace } from "../../ui/states/skeleton.tsx";
import { type AskedAction, askAction } from "./ask-action.ts";
import { useOperatorMay, type VerbName } from "./use-operator.ts";

// Loaded after the page.
const ActionMenu = lazy(loadOnce(() => import("./action-menu.tsx")));

type AskButtonProps = {
  /** Shown to operators who may. */
  verb: VerbName;
  action: () => AskedAction;
  children: JSX.Element;
};

export function AskButton(props: AskButtonProps): JSX.Element {
  const may = useOperatorMay();
  return (
    <Show when={may(props.verb)}>
      <Button size="small" changes onClick={() => askAction(props.action())}>
        {props.children}
      </Button>
    </Show>
  );
}

type AskMenuProps = {
  /** Shown to operators who may; without, the actions are those that they may. */
  verb?: VerbName;
  label: string;
  actions: readonly (readonly [label: string, action: AskedAction])[];
};

/** Several actions, at the end of a row. Without any, nothing is drawn. */
export function AskMenu(props: AskMenuProps): JSX.Element {
  const may = useOperatorMay();
  const isShown = () => props.verb === undefined || may(props.verb);
  return (
    <Show when={isShown() && props.actions.length > 0}>
      <Suspense fallback={<MenuPlace />}>
        <ActionMenu label={props.label} actions={props.actions} onSelect={askAction} />
      </Suspense>
    </Show>
  );
}
