// Lets every part of the desk ask for the reason of an action; afterwards what the desk shows is loaded again.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createContext, createSignal, lazy, Show, Suspense, useContext } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import type { AskedAction } from "./reason-dialog.tsx";

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
              onDone={() => void client.invalidateQueries({ queryKey: ["operator"] })}
            />
          </Suspense>
        )}
      </Show>
    </AskContext.Provider>
  );
}
