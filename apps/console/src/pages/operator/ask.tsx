// Lets every part of the desk ask for the reason of an action; afterwards what the desk shows is loaded again.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createContext, createSignal, lazy, Show, Suspense, useContext } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { Button } from "../../ui/button.tsx";
import { MenuPlace } from "../../ui/skeleton.tsx";
import type { AskedAction } from "./reason-dialog.tsx";
import { deskKey, useOperatorMay, type VerbName } from "./use-operator.ts";

// Loaded after the page.
const ActionMenu = lazy(loadOnce(() => import("./action-menu.tsx")));
const ReasonDialog = lazy(loadOnce(() => import("./reason-dialog.tsx")));

type Ask = (action: AskedAction) => void;

const AskContext = createContext<Ask>(() => undefined);

/** Opens the dialog of an action. */
export function useAsk(): Ask {
  return useContext(AskContext);
}

export function AskProvider(props: { children: JSX.Element }): JSX.Element {
  const client = useQueryClient();
  const [asked, ask] = createSignal<AskedAction>();
  return (
    <AskContext.Provider value={ask}>
      {props.children}
      <Show when={asked()} keyed>
        {(action) => (
          <Suspense>
            <ReasonDialog
              action={action}
              onClose={() => ask(undefined)}
              onDone={() => void client.invalidateQueries({ queryKey: deskKey })}
            />
          </Suspense>
        )}
      </Show>
    </AskContext.Provider>
  );
}

type AskButtonProps = {
  /** Shown to operators who may. */
  verb: VerbName;
  action: () => AskedAction;
  children: JSX.Element;
};

export function AskButton(props: AskButtonProps): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  return (
    <Show when={may(props.verb)}>
      <Button size="small" changes onClick={() => ask(props.action())}>
        {props.children}
      </Button>
    </Show>
  );
}

type AskMenuProps = {
  /** Shown to operators who may. */
  verb: VerbName;
  label: string;
  actions: readonly (readonly [label: string, action: AskedAction])[];
};

/** Several actions, at the end of a row. */
export function AskMenu(props: AskMenuProps): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  return (
    <Show when={may(props.verb)}>
      <Suspense fallback={<MenuPlace />}>
        <ActionMenu label={props.label} actions={props.actions} onSelect={ask} />
      </Suspense>
    </Show>
  );
}
