// A query in a card: skeleton, error with another try, or the data.
import { type QueryObserverResult, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { balanceKey } from "../lib/session.ts";
import { SkeletonRows } from "./skeleton.tsx";
import { ErrorState } from "./states.tsx";

type LoadedProps<Data> = {
  query: QueryObserverResult<Data, Error>;
  /** As in "We couldn't load {what}." */
  what: string;
  skeleton?: JSX.Element;
  /** Not re-run on refetch: the accessor changes. */
  children: (data: () => Data) => JSX.Element;
};

export function Loaded<Data>(props: LoadedProps<Data>): JSX.Element {
  const tryFailedBalance = useFailedBalance();
  const read = () => {
    const { data } = props.query;
    return data === undefined ? undefined : { data };
  };
  return (
    <Switch fallback={props.skeleton ?? <SkeletonRows />}>
      <Match when={read()}>{(loaded) => props.children(() => loaded().data)}</Match>
      <Match when={props.query.isError}>
        <ErrorState
          error={props.query.error}
          what={props.what}
          retrying={props.query.isFetching}
          onRetry={() => {
            void props.query.refetch();
            tryFailedBalance();
          }}
        />
      </Match>
    </Switch>
  );
}

/** The balance above every page often failed for the same reason, and has no button of its own. */
function useFailedBalance(): () => void {
  const client = useQueryClient();
  return () =>
    void client.refetchQueries({
      queryKey: balanceKey,
      type: "active",
      predicate: ({ state }) => state.status === "error",
    });
}
