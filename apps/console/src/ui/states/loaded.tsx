// A query in a card: skeleton, error with "Try again", or the data.
import { type QueryObserverResult, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { SkeletonRows } from "./skeleton.tsx";
import { ErrorState } from "./states.tsx";

type LoadedProps<Data> = {
  query: QueryObserverResult<Data, Error>;
  /** As in "Couldn't load {what}." */
  what: string;
  skeleton?: JSX.Element;
  /** Not re-run on refetch: the accessor changes. */
  children: (data: () => Data) => JSX.Element;
};

export function Loaded<Data>(props: LoadedProps<Data>): JSX.Element {
  const retryCompanions = useCompanions();
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
            retryCompanions();
          }}
        />
      </Match>
    </Switch>
  );
}

/**
 * Queries without their own "Try again", such as the balance in the top bar, often failed for the
 * same reason.
 */
function useCompanions(): () => void {
  const client = useQueryClient();
  return () =>
    void client.refetchQueries({
      type: "active",
      predicate: ({ meta, state }) => meta?.retriedWithOthers === true && state.status === "error",
    });
}
